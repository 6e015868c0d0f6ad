import { useSyncExternalStore } from 'react';
import { draftAt, forgetDraft, keepDraft, onDraftsChange } from '../../../lib/forms/drafts.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { createPersonStore, type Owner } from '../../../lib/session/person-store.ts';

export type Sent = {
  clientMessageId: string;
  content: string;
  /** They are with the page that sends them alone: its text without them is another message. */
  hasFiles?: true;
};

/** What was typed in a conversation and not sent: going to another one, or loading the page anew, loses nothing. */
export type Draft = {
  text: string;
  /** The messages whose texts came back into it: what arrived all the same is taken out, and one that is sent again makes no second one. */
  givenBack?: readonly Sent[] | undefined;
  /** The last of them, as the release before kept it. */
  retryOf?: Sent | undefined;
};

const EMPTY: Draft = { text: '' };
const placeOf = (conversation: string) => `chat:${conversation}`;
const sendingPlaceOf = (conversation: string) => `chat:${conversation}:sending`;

export function draftOf(owner: Owner, conversation: string): Draft {
  const draft = draftAt(placeOf(conversation), owner);
  return isDraft(draft) ? draft : EMPTY;
}

export function keepConversationDraft(owner: Owner, conversation: string, draft: Draft): void {
  if (draft.text === '') forgetDraft(owner, placeOf(conversation));
  else keepDraft(owner, placeOf(conversation), draft);
}

/** Follows the store, so that text which comes back from a failed message shows even where its conversation was opened again meanwhile. */
export function useDraft(owner: string, conversation: string): Draft {
  return useSyncExternalStore(onDraftsChange, () => draftOf(owner, conversation));
}

const givenBackIn = ({ givenBack = [], retryOf }: Draft) => (retryOf ? [retryOf, ...givenBack] : givenBack);

/** Under which id a text goes again that was given back. */
export const idOfSame = (draft: Draft, content: string): string | undefined =>
  givenBackIn(draft).find((sent) => !sent.hasFiles && sent.content === content)?.clientMessageId;

/** What is sent by this page and not answered yet, by its id, with what lets go of its lock. */
const underWay = createPersonStore(
  () => new Map<string, () => void>(),
  (left) => {
    for (const letGo of left.values()) letGo();
  },
);

/** What other pages send, by its id, with what ends the waiting for its lock. */
const awaited = createPersonStore(
  () => new Map<string, AbortController>(),
  (left) => {
    for (const waiting of left.values()) waiting.abort();
  },
);

/** The browser's, held by the page that sends a message for as long as it is there; none where the address is neither HTTPS nor localhost. */
const locks = (): LockManager | undefined => navigator.locks;
const lockOf = ({ clientMessageId }: Sent) => `atrium:sending:${clientMessageId}`;

/** Keeps what is being sent until the server has it, for the case that the page goes first. */
export function beginSending(owner: Owner, conversation: string, sent: Sent): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  underWay.get().set(sent.clientMessageId, resolve);
  void locks()?.request(lockOf(sent), () => promise);
  keepSending(owner, conversation, [...sendingOf(owner, conversation), sent]);
}

export function endSending(owner: Owner, conversation: string, sent: Sent): void {
  dropSending(owner, conversation, sent);
  // This page, or another tab, may have taken it for lost meanwhile.
  const draft = draftOf(owner, conversation);
  const known = givenBackIn(draft);
  const givenBack = known.filter(({ clientMessageId }) => clientMessageId !== sent.clientMessageId);
  if (givenBack.length === known.length) return;
  keepConversationDraft(owner, conversation, { text: withoutLines(draft.text, sent.content), givenBack });
}

/** A text without lines that came back into it; all of it where they were changed since. */
function withoutLines(text: string, lines: string): string {
  const at = `\n${text}\n`.indexOf(`\n${lines}\n`);
  if (at === -1) return text;
  const parts = [text.slice(0, Math.max(0, at - 1)), text.slice(at + lines.length + 1)];
  return parts.filter(Boolean).join('\n');
}

/** What arrived all the same, its answer being lost, is neither sent again nor given back. */
export function settleArrived(
  owner: Owner,
  conversation: string,
  draft: Draft,
  isThere: (clientMessageId: string) => boolean,
): void {
  for (const sent of [...sendingOf(owner, conversation), ...givenBackIn(draft)])
    if (isThere(sent.clientMessageId)) endSending(owner, conversation, sent);
}

/** Gives a message that did not arrive back to its writer: behind one that failed before it, and before what was typed since. */
export function giveBack(owner: Owner, conversation: string, sent: Sent): void {
  dropSending(owner, conversation, sent);
  const since = draftOf(owner, conversation);
  const before = givenBackIn(since);
  const parts = before.length > 0 ? [since.text, sent.content] : [sent.content, since.text];
  keepConversationDraft(owner, conversation, {
    text: parts.filter(Boolean).join('\n'),
    givenBack: [...before, sent],
  });
}

/**
 * What a page that is gone was sending may have arrived or not: sent again, it is the same message. A page that goes may hold its locks for
 * a moment longer, and another tab may send, so each is waited for.
 */
export function recoverUnsent(owner: Owner, conversation: string): void {
  const waits = awaited.get();
  for (const sent of sendingOf(owner, conversation)) {
    const { clientMessageId } = sent;
    if (underWay.get().has(clientMessageId) || waits.has(clientMessageId)) continue;
    const recover = () => {
      waits.delete(clientMessageId);
      if (sendingOf(owner, conversation).some((one) => one.clientMessageId === clientMessageId))
        giveBack(owner, conversation, sent);
    };
    const held = locks();
    if (!held) {
      recover();
      continue;
    }
    const waiting = new AbortController();
    waits.set(clientMessageId, waiting);
    held.request(lockOf(sent), { signal: waiting.signal }, recover).catch(() => undefined);
  }
}

function sendingOf(owner: Owner, conversation: string): Sent[] {
  const sending = draftAt(sendingPlaceOf(conversation), owner);
  return Array.isArray(sending) ? sending.filter(isSent) : [];
}

function keepSending(owner: Owner, conversation: string, sending: readonly Sent[]): void {
  if (sending.length === 0) forgetDraft(owner, sendingPlaceOf(conversation));
  else keepDraft(owner, sendingPlaceOf(conversation), sending);
}

function dropSending(owner: Owner, conversation: string, { clientMessageId }: Sent): void {
  const others = sendingOf(owner, conversation).filter((one) => one.clientMessageId !== clientMessageId);
  keepSending(owner, conversation, others);
  // Whoever waits for its lock looks at what is kept.
  underWay.get().get(clientMessageId)?.();
  underWay.get().delete(clientMessageId);
}

function isDraft(value: unknown): value is Draft {
  if (!isRecord(value) || typeof value.text !== 'string') return false;
  const { retryOf, givenBack = [] } = value;
  return (retryOf === undefined || isSent(retryOf)) && Array.isArray(givenBack) && givenBack.every(isSent);
}

function isSent(value: unknown): value is Sent {
  return isRecord(value) && typeof value.clientMessageId === 'string' && typeof value.content === 'string';
}
