import { useSyncExternalStore } from 'react';
import type { MentionLabels } from '#entities/conversation/mention-labels.ts';
import { deleteDraft, getDraft, listDraftKeys, onDraftsChange, saveDraft } from '#lib/forms/drafts.ts';
import { isRecord } from '#lib/is-record.ts';
import { createUserScopedStore, type Owner } from '#lib/session/user-scoped-store.ts';
import {
  type ComposedText,
  fromContent,
  isComposedText,
  joinLines,
  toContent,
  withText,
} from '../text/composed-text.ts';
import { contentOf } from '../text/message-text.tsx';

/** A failed message whose text is back in the composer. */
type Returned = {
  clientMessageId: string;
  content: string;
  labels?: MentionLabels | undefined;
  hasFiles?: true | undefined;
  replaces?: string | undefined;
  alsoInConversation?: true | undefined;
};

/** The draft as the server has it. */
type ServerDraft = { version: number; content: string };

export type Draft = ComposedText & {
  /** A message that is resent unchanged keeps its id; the texts of those that arrived after all are removed. */
  returned?: readonly Returned[] | undefined;
  /** The id with which it is being scheduled, until a response arrives. */
  schedulingId?: string | undefined;
  /** Of a reply. */
  alsoInConversation?: true | undefined;
  /** Of a reply: the conversation of its thread. */
  conversation?: string | undefined;
  /** When the text was changed, in milliseconds since 1970. */
  editedAt?: number | undefined;
  /** Absent if the server has none. */
  server?: ServerDraft | undefined;
  /** Of saves whose responses have not arrived, latest last: the server may have any of them. */
  sent?: readonly string[] | undefined;
  /** Whether the server rejected it, because the user cannot write there. */
  isRejected?: true | undefined;
};

const EMPTY: Draft = { text: '' };
const PREFIX = 'chat:';
const storageKey = (logId: string) => `${PREFIX}${logId}`;

/** Lists the conversations and threads with a draft, which may be blank. */
export const listDraftLogs = (owner: string): string[] =>
  listDraftKeys(PREFIX, owner)
    .map((key) => key.slice(PREFIX.length))
    .filter((logId) => isDraft(getDraft(storageKey(logId), owner)));

export function getMessageDraft(owner: Owner, logId: string): Draft {
  const draft = getDraft(storageKey(logId), owner);
  return isDraft(draft) ? draft : EMPTY;
}

export function saveMessageDraft(owner: Owner, logId: string, draft: Draft): void {
  const { text, conversation, server, sent, editedAt } = getMessageDraft(owner, logId);
  const isEdited = draft.text !== text;
  storeDraft(owner, logId, {
    conversation,
    ...draft,
    server,
    sent,
    editedAt: isEdited ? Date.now() : editedAt,
    ...(isEdited && { isRejected: undefined }),
  });
}

/** A removed draft is stored until the server has removed it. */
export function storeDraft(owner: Owner, logId: string, draft: Draft): void {
  const isOnServer = draft.server !== undefined || draft.sent !== undefined;
  if (draft.text === '' && !draft.alsoInConversation && !isOnServer) deleteDraft(owner, storageKey(logId));
  else saveDraft(owner, storageKey(logId), draft, !isUnsaved(draft));
}

export const draftContent = (draft: Draft): string => contentOf(toContent(draft));

/** Whether the server does not have it yet, as far as this device knows. */
export const isUnsaved = (draft: Draft): boolean => draft.sent !== undefined || isChanged(draft);

/** Whether it was changed here since it was last saved or taken from the server. */
export const isChanged = (draft: Draft): boolean => draftContent(draft) !== (draft.server?.content ?? '');

export function useDraft(owner: string, logId: string): Draft {
  return useSyncExternalStore(onDraftsChange, () => getMessageDraft(owner, logId));
}

export const isComposerEmpty = ({ text }: Draft): boolean => text.trim() === '';

export function findReturnedId({ returned }: Draft, content: string): string | undefined {
  return returned?.find((message) => !message.hasFiles && message.content === content)?.clientMessageId;
}

export function returnText(
  owner: Owner,
  logId: string,
  { clientMessageId, content, labels, hasFiles, replaces, alsoInConversation }: Returned,
): void {
  if (content === '') return;
  const draft = getMessageDraft(owner, logId);
  const others = draft.returned?.filter((message) => message.clientMessageId !== clientMessageId) ?? [];
  const returned = [
    { clientMessageId, content, labels, hasFiles, replaces },
    ...(isComposerEmpty(draft) ? [] : others),
  ];
  const restored = fromContent(content, labels);
  const composed = isComposerEmpty(draft) ? restored : joinLines(restored, draft);
  saveMessageDraft(owner, logId, { ...composed, returned, alsoInConversation });
}

/** Removes the text of messages that arrived after all, and keeps what was typed since. */
export function withdrawReturned(owner: Owner, logId: string, hasArrived: (message: Returned) => boolean): boolean {
  const draft = getMessageDraft(owner, logId);
  const { returned = [] } = draft;
  const arrived = returned.filter(hasArrived);
  if (arrived.length === 0) return false;
  let composed: ComposedText = draft;
  for (const { content, labels } of arrived)
    composed = withText(composed, withoutLines(composed.text, fromContent(content, labels).text));
  const others = returned.filter((message) => !arrived.includes(message));
  saveMessageDraft(owner, logId, { ...composed, returned: others.length > 0 ? others : undefined });
  return true;
}

function withoutLines(text: string, lines: string): string {
  const at = `\n${text}\n`.indexOf(`\n${lines}\n`);
  if (at === -1) return text;
  const parts = [text.slice(0, Math.max(0, at - 1)), text.slice(at + lines.length + 1)];
  return parts.filter(Boolean).join('\n');
}

function isDraft(value: unknown): value is Draft {
  if (!isRecord(value)) return false;
  const { returned } = value;
  if (!isComposedText(value)) return false;
  return returned === undefined || (Array.isArray(returned) && returned.every(isReturned));
}

const isReturned = (value: unknown): boolean =>
  isRecord(value) && typeof value.clientMessageId === 'string' && typeof value.content === 'string';

export const FILES_LOST = 'The page was closed before the files were sent. Attach them again.';

/** Why this page returned a message to the composer; empty if it had not failed. */
const reasons = createUserScopedStore<Readonly<Record<string, string>>>(() => ({}));

export function recordReturnReason(logId: string, reason: string): void {
  reasons.change(reasons.owner(), (others) => ({ ...others, [logId]: reason }));
}

export function clearReturnReason(logId: string): void {
  reasons.change(reasons.owner(), ({ [logId]: _, ...others }) => others);
}

export function useReturnReason(logId: string, { returned }: Draft, hasFiles: boolean): string {
  const reason = useSyncExternalStore(reasons.subscribe, () => reasons.get()[logId]);
  if (!returned && !hasFiles) return '';
  const hadFiles = returned?.some(({ hasFiles: had, replaces }) => had || replaces !== undefined);
  return reason ?? (hadFiles && !hasFiles ? FILES_LOST : '');
}
