/** What was typed and not sent, by conversation: going to another one loses nothing. */
export type Draft = {
  text: string;
  /** Of a message that failed: sending the same text again cannot make a second one of it. */
  retryOf?: { clientMessageId: string; content: string } | undefined;
};

const EMPTY: Draft = { text: '' };
const drafts = new Map<string, Draft>();

export const draftOf = (conversation: string): Draft => drafts.get(conversation) ?? EMPTY;

export function keepDraft(conversation: string, draft: Draft): void {
  if (draft.text === '') drafts.delete(conversation);
  else drafts.set(conversation, draft);
}
