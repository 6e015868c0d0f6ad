import { useSyncExternalStore } from 'react';
import { deleteDraft, getDraft, onDraftsChange, saveDraft } from '#lib/forms/drafts.ts';
import { isRecord } from '#lib/is-record.ts';
import { useCurrentUser } from '#lib/session/session.ts';

type Edits = Readonly<Record<string, string>>;

const NONE: Edits = {};

/** Stores edits outside the virtualized rows, so that they survive unmounting and a reload. */
export function useEdits(conversationId: string) {
  const currentUserId = useCurrentUser()._id;
  const draftKey = `chat:${conversationId}:edits`;
  const edits = useSyncExternalStore(onDraftsChange, () => editsAt(draftKey, currentUserId));
  const save = (next: Edits) => {
    if (Object.keys(next).length === 0) deleteDraft(currentUserId, draftKey);
    else saveDraft(currentUserId, draftKey, next);
  };
  return {
    edits,
    /** Returns the current text, not that of the last render. */
    getText: (message: string): string | undefined => editsAt(draftKey, currentUserId)[message],
    write: (message: string, text: string) => save({ ...editsAt(draftKey, currentUserId), [message]: text }),
    end: (message: string) => {
      const { [message]: _, ...otherEdits } = editsAt(draftKey, currentUserId);
      save(otherEdits);
    },
  };
}

export type Editing = ReturnType<typeof useEdits>;

function editsAt(draftKey: string, owner: string): Edits {
  const storedDraft = getDraft(draftKey, owner);
  return isEdits(storedDraft) ? storedDraft : NONE;
}

function isEdits(value: unknown): value is Edits {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string');
}
