import type { Message } from '@atrium/proto-events/http/chat/messages';
import { useMemo, useSyncExternalStore } from 'react';
import { labelsOf } from '#entities/conversation/mention-labels.ts';
import { deleteDraft, getDraft, onDraftsChange, saveDraft } from '#lib/forms/drafts.ts';
import { isRecord } from '#lib/is-record.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { type ComposedText, fromContent, isComposedText, toContent } from '../text/composed-text.ts';
import { contentOf } from '../text/message-text.tsx';

/** The edit that was started last on this page; one restored from storage takes no focus. */
type StartedEdit = { message: string; opener: HTMLElement | null };

const startedEdit = createUserScopedStore<{ current: StartedEdit | null }>(() => ({ current: null }));

const draftKeyOf = (logId: string) => `chat:${logId}:edits`;

/** Continues an edit that is not saved yet. Focus returns to `opener`. */
export function startEdit(logId: string, message: Message, opener: HTMLElement | null = null): void {
  const owner = startedEdit.owner();
  if (owner === null) return;
  startedEdit.get().current = { message: message._id, opener };
  const draft = fromContent(message.content, labelsOf(message.mentions));
  saveDraft(owner, draftKeyOf(logId), { [message._id]: draft, ...editsAt(draftKeyOf(logId), owner) });
}

export function findStartedEdit(message: string): StartedEdit | null {
  const { current } = startedEdit.get();
  return current?.message === message ? current : null;
}

type Edits = Readonly<Record<string, ComposedText>>;

const NONE: Edits = {};

/** Stores edits outside the virtualized rows, so that they survive unmounting and a reload. */
export function useEdits(conversationId: string) {
  const currentUserId = useCurrentUser()._id;
  const draftKey = draftKeyOf(conversationId);
  const edits = useSyncExternalStore(onDraftsChange, () => editsAt(draftKey, currentUserId));
  return useMemo(() => ({ edits, ...createEditActions(draftKey, currentUserId) }), [edits, draftKey, currentUserId]);
}

export type Editing = ReturnType<typeof useEdits>;

function createEditActions(draftKey: string, currentUserId: string) {
  const save = (next: Edits) => {
    if (Object.keys(next).length === 0) deleteDraft(currentUserId, draftKey);
    else saveDraft(currentUserId, draftKey, next);
  };
  return {
    /** Returns the content of the current text, not of that of the last render. */
    getContent(message: string): string {
      const draft = editsAt(draftKey, currentUserId)[message];
      return draft ? contentOf(toContent(draft)) : '';
    },
    write: (message: string, draft: ComposedText) => save({ ...editsAt(draftKey, currentUserId), [message]: draft }),
    end: (message: string) => {
      if (findStartedEdit(message)) startedEdit.get().current = null;
      const { [message]: _, ...otherEdits } = editsAt(draftKey, currentUserId);
      save(otherEdits);
    },
  };
}

function editsAt(draftKey: string, owner: string): Edits {
  const storedDraft = getDraft(draftKey, owner);
  return isEdits(storedDraft) ? storedDraft : NONE;
}

function isEdits(value: unknown): value is Edits {
  return isRecord(value) && Object.values(value).every(isComposedText);
}
