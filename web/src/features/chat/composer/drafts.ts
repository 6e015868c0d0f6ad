import { useSyncExternalStore } from 'react';
import { deleteDraft, getDraft, onDraftsChange, saveDraft } from '../../../lib/forms/drafts.ts';
import { isRecord } from '../../../lib/is-record.ts';
import type { Owner } from '../../../lib/session/user-scoped-store.ts';

/** A message that failed and whose text is in the composer again. */
type Returned = { clientMessageId: string; content: string; hasFiles?: true | undefined };

/** What was typed in a conversation and not sent; it survives a reload. */
export type Draft = {
  text: string;
  /** Sent again unchanged, it is the same message; if it arrived after all, its text is removed. */
  returned?: Returned | undefined;
};

const EMPTY: Draft = { text: '' };
const placeOf = (conversation: string) => `chat:${conversation}`;

export function draftOf(owner: Owner, conversation: string): Draft {
  const draft = getDraft(placeOf(conversation), owner);
  return isDraft(draft) ? draft : EMPTY;
}

export function keepConversationDraft(owner: Owner, conversation: string, draft: Draft): void {
  if (draft.text === '') deleteDraft(owner, placeOf(conversation));
  else saveDraft(owner, placeOf(conversation), draft);
}

export function useDraft(owner: string, conversation: string): Draft {
  return useSyncExternalStore(onDraftsChange, () => draftOf(owner, conversation));
}

export const isComposerEmpty = ({ text }: Draft): boolean => text.trim() === '';

/** The id of the message that this text was, if it was a text alone. */
export function idOfReturned({ returned }: Draft, content: string): string | undefined {
  return returned && !returned.hasFiles && returned.content === content ? returned.clientMessageId : undefined;
}

/** Puts the text of a message into the composer, before what was typed since. */
export function returnText(owner: Owner, conversation: string, { clientMessageId, content, hasFiles }: Returned): void {
  if (content === '') return;
  const draft = draftOf(owner, conversation);
  const returned = { clientMessageId, content, hasFiles };
  const text = isComposerEmpty(draft) ? content : `${content}\n${draft.text}`;
  keepConversationDraft(owner, conversation, { text, returned });
}

/** Removes the text of a message that arrived after all from the composer; what was typed since stays. */
export function withdrawReturned(owner: Owner, conversation: string, isThere: (id: string) => boolean): void {
  const { text, returned } = draftOf(owner, conversation);
  if (!returned || !isThere(returned.clientMessageId)) return;
  keepConversationDraft(owner, conversation, { text: withoutLines(text, returned.content) });
}

/** The text without these lines; unchanged if they were edited. */
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
