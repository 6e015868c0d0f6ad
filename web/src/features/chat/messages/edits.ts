import { useSyncExternalStore } from 'react';
import { deleteDraft, getDraft, onDraftsChange, saveDraft } from '#lib/forms/drafts.ts';
import { isRecord } from '#lib/is-record.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { contentOf } from '../composer/message-text.tsx';
import { type ComposedText, isComposedText, toContent } from '../mentions/composed-text.ts';

type Edits = Readonly<Record<string, ComposedText>>;

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
    /** Returns the content of the current text, not of that of the last render. */
    getContent(message: string): string {
      const draft = editsAt(draftKey, currentUserId)[message];
      return draft ? contentOf(toContent(draft)) : '';
    },
    write: (message: string, draft: ComposedText) => save({ ...editsAt(draftKey, currentUserId), [message]: draft }),
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
  return isRecord(value) && Object.values(value).every(isComposedText);
}
