import { useCallback, useSyncExternalStore } from 'react';
import { useCurrentUser } from '../session/use-session.ts';
import { deleteDraft, getDraft, onDraftsChange, saveDraft } from './drafts.ts';

type Edit = string | ((before: string) => string);

/** `useState('')` for text outside of a form that is restored after a reload for the same user. */
export function useStoredText(place: string): [string, (text: Edit) => void] {
  const owner = useCurrentUser()._id;
  const text = useSyncExternalStore(onDraftsChange, () => textAt(place, owner));
  const write = useCallback(
    (given: Edit) => {
      const next = typeof given === 'string' ? given : given(textAt(place, owner));
      if (next === '') deleteDraft(owner, place);
      else saveDraft(owner, place, next);
    },
    [owner, place],
  );
  return [text, write];
}

function textAt(place: string, owner: string): string {
  const draft = getDraft(place, owner);
  return typeof draft === 'string' ? draft : '';
}
