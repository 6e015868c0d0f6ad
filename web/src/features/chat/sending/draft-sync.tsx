import { useEffect } from 'react';
import { useCurrentUser } from '#lib/session/session.ts';
import { startDraftSync } from './sync-drafts.ts';

/** Loaded after the conversation is shown. */
export function DraftSync() {
  const owner = useCurrentUser()._id;
  useEffect(() => {
    return startDraftSync(owner);
  }, [owner]);
  return null;
}
