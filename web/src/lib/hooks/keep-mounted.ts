import { createContext, use, useCallback, useEffect, useState } from 'react';

type Keep = (id: string, isKept: boolean) => void;

/** Rows out of sight are unmounted, together with what they have opened or play. */
export const KeepMounted = createContext<Keep>(() => undefined);

/** Returns the ids of the messages and files whose rows stay mounted, and what changes them. */
export function useKeptRows(): [kept: ReadonlySet<string>, keep: Keep] {
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set<string>());
  const keep = useCallback<Keep>((id, isKept) => {
    setKept((ids) => new Set(isKept ? [...ids, id] : [...ids].filter((other) => other !== id)));
  }, []);
  return [kept, keep];
}

/** Keeps the row of a message or a file mounted. */
export function useKeepMounted(id: string, isKept: boolean): void {
  const keep = use(KeepMounted);
  useEffect(() => {
    if (!isKept) return undefined;
    keep(id, true);
    return () => keep(id, false);
  }, [keep, id, isKept]);
}
