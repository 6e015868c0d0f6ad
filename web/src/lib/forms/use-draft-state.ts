import { type Dispatch, type SetStateAction, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { currentUserId } from '../session/session.ts';
import { deleteDraft, getDraft, saveDraft } from './drafts.ts';
import type { StoredDraft } from './use-stored-draft.ts';

type Options<T> = {
  place: string;
  /** Must be a stable reference. */
  initial: T;
  /** Undefined for a stored value of another version's shape. */
  parse: (stored: unknown) => T | undefined;
};

/**
 * The state of a form without the form library, stored like the drafts of `useStoredDraft`: restored after a reload or
 * the end of the session, deleted when the form closes. With the form open in two tabs, each deletes only what it
 * stored.
 */
export function useDraftState<T>({ place, initial, parse }: Options<T>) {
  const [owner] = useState(currentUserId);
  const [found] = useState(() => parse(getDraft(place, owner)));
  const [value, setValue] = useState(found ?? initial);
  const [isRestored, setRestored] = useState(found !== undefined);
  const isChanged = JSON.stringify(value) !== JSON.stringify(initial);
  const own = useRef(found === undefined ? undefined : JSON.stringify(found));
  useEffect(() => {
    const text = JSON.stringify(value);
    if (isChanged && own.current !== text) saveDraft(owner, place, value);
    if (!isChanged) forgetOwn(owner, place, own.current);
    own.current = isChanged ? text : undefined;
  }, [owner, place, value, isChanged]);
  useLayoutEffect(() => {
    return () => {
      // A user whose session ended did not close the form.
      if (currentUserId() === owner) forgetOwn(owner, place, own.current);
    };
  }, [owner, place]);
  const draft: StoredDraft = {
    isRestored: isRestored && isChanged,
    discard: () => {
      setValue(initial);
      setRestored(false);
    },
  };
  const state: [T, Dispatch<SetStateAction<T>>, StoredDraft, boolean] = [value, setValue, draft, isChanged];
  return state;
}

function forgetOwn(owner: string | null, place: string, own: string | undefined): void {
  if (own !== undefined && JSON.stringify(getDraft(place, owner)) === own) deleteDraft(owner, place);
}
