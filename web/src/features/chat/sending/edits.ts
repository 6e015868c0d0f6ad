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
export function useEdits(logId: string): Edits {
  const currentUserId = useCurrentUser()._id;
  return useSyncExternalStore(onDraftsChange, () => editsAt(draftKeyOf(logId), currentUserId));
}

/** Renders only the message that is being edited again. */
export function useEdit(logId: string, messageId: string) {
  const currentUserId = useCurrentUser()._id;
  const draftKey = draftKeyOf(logId);
  const draft = useSyncExternalStore(onDraftsChange, () => editsAt(draftKey, currentUserId)[messageId]);
  return useMemo(
    () => ({ draft, ...createEditActions({ draftKey, messageId, currentUserId }) }),
    [draft, draftKey, messageId, currentUserId],
  );
}

type EditKey = { draftKey: string; messageId: string; currentUserId: string };

function createEditActions({ draftKey, messageId, currentUserId }: EditKey) {
  const save = (next: Edits) => {
    if (Object.keys(next).length === 0) deleteDraft(currentUserId, draftKey);
    else saveDraft(currentUserId, draftKey, next);
  };
  return {
    /** Returns the content of the current text, not of that of the last render. */
    getContent(): string {
      const draft = editsAt(draftKey, currentUserId)[messageId];
      return draft ? contentOf(toContent(draft)) : '';
    },
    write: (draft: ComposedText) => save({ ...editsAt(draftKey, currentUserId), [messageId]: draft }),
    end: () => {
      if (findStartedEdit(messageId)) startedEdit.get().current = null;
      const { [messageId]: _, ...otherEdits } = editsAt(draftKey, currentUserId);
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
