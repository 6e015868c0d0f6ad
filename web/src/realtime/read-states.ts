import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getUnread } from '@atrium/proto-events/http/chat';
import type { ReadState } from '@atrium/proto-events/realtime';

export type UnreadResponse = ResponseOf<typeof getUnread>;

/**
 * What is known of a conversation. All seqs only increase, so that events and responses can arrive in any order. The
 * conversation has `lastSeq - readSeq` unread messages, since `readSeq` includes the user's own later messages.
 */
type Known = {
  lastSeq: number;
  /** From the server: `lastSeq - unreadCount` of its latest state. Undefined if the conversation was read. */
  readSeq: number | undefined;
  /** Everything before the first message that arrived in a conversation that was read. */
  firstSeq: number;
  /** Up to where this device has shown messages, which the server has not confirmed yet. */
  seenSeq: number;
};

export type ReadStates = {
  conversations: ReadonlyMap<string, Known>;
  /** Unread messages of conversations beyond those that the response lists. */
  unlistedCount: number;
};

export const NOTHING_UNREAD: ReadStates = { conversations: new Map(), unlistedCount: 0 };

const UNKNOWN: Known = { lastSeq: 0, readSeq: undefined, firstSeq: Number.POSITIVE_INFINITY, seenSeq: 0 };

const unreadIn = ({ lastSeq, readSeq, firstSeq, seenSeq }: Known): number =>
  Math.max(0, lastSeq - Math.max(readSeq ?? firstSeq - 1, seenSeq));

export const totalUnread = ({ conversations, unlistedCount }: ReadStates): number =>
  [...conversations.values()].reduce((sum, known) => sum + unreadIn(known), unlistedCount);

/** Whether the message, or a later one, has arrived. */
export const isMessageKnown = ({ conversations }: ReadStates, conversation: string, seq: number): boolean =>
  (conversations.get(conversation)?.lastSeq ?? 0) >= seq;

function change(state: ReadStates, conversation: string, edit: (known: Known) => Known): ReadStates {
  const known = state.conversations.get(conversation) ?? UNKNOWN;
  return { ...state, conversations: new Map(state.conversations).set(conversation, edit(known)) };
}

const later = (a: number | undefined, b: number): number => Math.max(a ?? 0, b);

/** Applies the state that the server sent for this user. */
export const withState = (state: ReadStates, { conversation, lastSeq, unreadCount }: ReadState): ReadStates =>
  change(state, conversation, (known) => ({
    ...known,
    lastSeq: Math.max(known.lastSeq, lastSeq),
    readSeq: later(known.readSeq, lastSeq - unreadCount),
  }));

export const withReceived = (
  state: ReadStates,
  { conversation, seq }: { conversation: string; seq: number },
): ReadStates =>
  change(state, conversation, (known) => ({
    ...known,
    lastSeq: Math.max(known.lastSeq, seq),
    firstSeq: Math.min(known.firstSeq, seq),
  }));

export const withSeen = (state: ReadStates, { conversation, seq }: { conversation: string; seq: number }): ReadStates =>
  change(state, conversation, (known) => ({ ...known, seenSeq: Math.max(known.seenSeq, seq) }));

/** The server was not told what this device has shown. */
export const withoutSeen = (state: ReadStates, conversation: string): ReadStates =>
  change(state, conversation, (known) => ({ ...known, seenSeq: 0 }));

export function withoutConversation(state: ReadStates, conversation: string): ReadStates {
  const conversations = new Map(state.conversations);
  conversations.delete(conversation);
  return { ...state, conversations };
}

/** Applies a response. Conversations that it does not list were read when it was requested, as of `atRequest`. */
export function withResponse(state: ReadStates, { total, unread }: UnreadResponse, atRequest: ReadStates): ReadStates {
  const unlistedCount = total - unread.reduce((sum, { count }) => sum + count, 0);
  const listed = unread.reduce(
    (states, { conversation, lastSeq, count: unreadCount }) =>
      withState(states, { conversation, lastSeq, unreadCount, lastReadSeq: 0 }),
    { ...state, unlistedCount },
  );
  if (unlistedCount > 0) return listed;
  const listedIds = new Set(unread.map(({ conversation }) => conversation));
  return [...atRequest.conversations].reduce(
    (states, [conversation, { lastSeq }]) =>
      listedIds.has(conversation)
        ? states
        : change(states, conversation, (known) => ({ ...known, readSeq: later(known.readSeq, lastSeq) })),
    listed,
  );
}
