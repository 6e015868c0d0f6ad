import { useSyncExternalStore } from 'react';
import { deleteDraft, getDraft, onDraftsChange, saveDraft } from '#lib/forms/drafts.ts';
import { isRecord } from '#lib/is-record.ts';
import { createUserScopedStore, type Owner } from '#lib/session/user-scoped-store.ts';

/** A failed message whose text is back in the composer. */
type Returned = {
  clientMessageId: string;
  content: string;
  hasFiles?: true | undefined;
  replaces?: string | undefined;
  alsoInConversation?: true | undefined;
};

type Draft = {
  text: string;
  /** A message that is resent unchanged keeps its id; if it arrived after all, its text is removed. */
  returned?: Returned | undefined;
  /** Of a reply. */
  alsoInConversation?: true | undefined;
};

const EMPTY: Draft = { text: '' };
const storageKey = (logId: string) => `chat:${logId}`;

export function getMessageDraft(owner: Owner, logId: string): Draft {
  const draft = getDraft(storageKey(logId), owner);
  return isDraft(draft) ? draft : EMPTY;
}

export function saveMessageDraft(owner: Owner, logId: string, draft: Draft): void {
  if (draft.text === '' && !draft.alsoInConversation) deleteDraft(owner, storageKey(logId));
  else saveDraft(owner, storageKey(logId), draft);
}

export function useDraft(owner: string, logId: string): Draft {
  return useSyncExternalStore(onDraftsChange, () => getMessageDraft(owner, logId));
}

export const isComposerEmpty = ({ text }: Draft): boolean => text.trim() === '';

export function findReturnedId({ returned }: Draft, content: string): string | undefined {
  return returned && !returned.hasFiles && returned.content === content ? returned.clientMessageId : undefined;
}

export function returnText(
  owner: Owner,
  logId: string,
  { clientMessageId, content, hasFiles, replaces, alsoInConversation }: Returned,
): void {
  if (content === '') return;
  const draft = getMessageDraft(owner, logId);
  const returned = { clientMessageId, content, hasFiles, replaces };
  const text = isComposerEmpty(draft) ? content : `${content}\n${draft.text}`;
  saveMessageDraft(owner, logId, { text, returned, alsoInConversation });
}

/** Removes the text of messages that arrived after all, and keeps what was typed since. */
export function withdrawReturned(owner: Owner, logId: string, hasArrived: (message: Returned) => boolean): boolean {
  const { text, returned } = getMessageDraft(owner, logId);
  if (!returned || !hasArrived(returned)) return false;
  saveMessageDraft(owner, logId, { text: withoutLines(text, returned.content) });
  return true;
}

function withoutLines(text: string, lines: string): string {
  const at = `\n${text}\n`.indexOf(`\n${lines}\n`);
  if (at === -1) return text;
  const parts = [text.slice(0, Math.max(0, at - 1)), text.slice(at + lines.length + 1)];
  return parts.filter(Boolean).join('\n');
}

function isDraft(value: unknown): value is Draft {
  if (!isRecord(value) || typeof value.text !== 'string') return false;
  const { returned } = value;
  if (returned === undefined) return true;
  return isRecord(returned) && typeof returned.clientMessageId === 'string' && typeof returned.content === 'string';
}

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
  const hadFiles = returned?.hasFiles || returned?.replaces !== undefined;
  return reason ?? (hadFiles && !hasFiles ? FILES_LOST : '');
}
