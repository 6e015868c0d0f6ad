import { useState } from 'react';
import { conflictOf } from './conflict.ts';

/**
 * Which version of a resource a form was filled from, and what somebody else saved meanwhile.
 * Send `version` with the write and give its failure to `meet`; while there are `theirs`, show `ConflictNotice`.
 */
export function useConflict<Resource extends { version: number }>(loaded: Resource) {
  const [version, setVersion] = useState(loaded.version);
  const [theirs, setTheirs] = useState<Resource | null>(null);
  return {
    version,
    theirs,
    /** Whether the write failed for that reason, which the notice then says. */
    meet: (error: unknown): boolean => {
      const current = conflictOf<Resource>(error);
      if (current) setTheirs(current);
      return current !== undefined;
    },
    /** After either choice the form stands on their version; to take theirs, fill the form from it as well. */
    settle: () => {
      if (theirs) setVersion(theirs.version);
      setTheirs(null);
    },
  };
}
