import { useSyncExternalStore } from 'react';
import { currentSession, onSessionChange } from '../../lib/session.ts';

/** What was typed and not sent, by conversation: going to another one loses nothing. */
export type Draft = {
  text: string;
  /** Of a message that failed: sending the same text again cannot make a second one of it. */
  retryOf?: { clientMessageId: string; content: string } | undefined;
};

const EMPTY: Draft = { text: '' };
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

// What one person wrote is never offered to the next who signs in on the same page.
onSessionChange(() => {
  if (currentSession().state !== 'authenticated') drafts.clear();
});

export const draftOf = (conversation: string): Draft => drafts.get(conversation) ?? EMPTY;

export function keepDraft(conversation: string, draft: Draft): void {
  // A message can fail because its writer is signed out: by then there is nobody to give its text back to.
  if (draft.text === '' || currentSession().state !== 'authenticated') drafts.delete(conversation);
  else drafts.set(conversation, draft);
  for (const notify of listeners) notify();
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

/** Follows the store, so that text which comes back from a failed message shows even where its conversation was opened again meanwhile. */
export function useDraft(conversation: string): Draft {
  return useSyncExternalStore(subscribe, () => draftOf(conversation));
}
