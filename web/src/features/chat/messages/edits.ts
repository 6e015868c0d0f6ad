import { useSyncExternalStore } from 'react';
import { deleteDraft, getDraft, onDraftsChange, saveDraft } from '#lib/forms/drafts.ts';
import { isRecord } from '#lib/is-record.ts';
import { useCurrentUser } from '#lib/session/session.ts';

/** Edited texts by message id. */
type Edits = Readonly<Record<string, string>>;

const NONE: Edits = {};

/** The messages being edited in a conversation. Their texts are stored outside of the virtualized rows and survive a reload. */
export function useEdits(conversation: string) {
  const me = useCurrentUser()._id;
  const place = `chat:${conversation}:edits`;
  const edits = useSyncExternalStore(onDraftsChange, () => editsAt(place, me));
  const keep = (next: Edits) => {
    if (Object.keys(next).length === 0) deleteDraft(me, place);
    else saveDraft(me, place, next);
  };
  return {
    edits,
    /** The current text, not that of the last render. */
    textOf: (message: string): string | undefined => editsAt(place, me)[message],
    write: (message: string, text: string) => keep({ ...editsAt(place, me), [message]: text }),
    end: (message: string) => {
      const { [message]: _, ...others } = editsAt(place, me);
      keep(others);
    },
  };
}

export type Editing = ReturnType<typeof useEdits>;

function editsAt(place: string, owner: string): Edits {
  const kept = getDraft(place, owner);
  return isEdits(kept) ? kept : NONE;
}

function isEdits(value: unknown): value is Edits {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string');
}
