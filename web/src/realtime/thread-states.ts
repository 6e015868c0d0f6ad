import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { ThreadState } from '@atrium/proto-events/realtime';

/** What is known of a thread. Values only increase, so that states can arrive in any order, and repeatedly. */
type Known = {
  isFollowed: boolean;
  lastSeq: number;
  /** `lastSeq` minus the unread replies of the latest state, or up to where this device has shown replies. */
  readSeq: number;
  /** The same without what this device has shown and the server has not confirmed. */
  confirmedSeq: number;
  lastReadSeq: number;
};

export type ThreadStates = {
  /** Unread replies in followed threads: as of the latest response, plus what has changed since. */
  total: number;
  byRoot: ReadonlyMap<string, Known>;
};

export const NO_THREADS: ThreadStates = { total: 0, byRoot: new Map() };

const countUnread = ({ isFollowed, lastSeq, readSeq }: Known): number =>
  isFollowed ? Math.max(0, lastSeq - readSeq) : 0;

/** The total includes the unread replies of a thread that becomes known. */
function withKnown(states: ThreadStates, root: string, next: Known): ThreadStates {
  const known = states.byRoot.get(root);
  if (known && isSame(known, next)) return states;
  const difference = known ? countUnread(next) - countUnread(known) : 0;
  return { total: Math.max(0, states.total + difference), byRoot: new Map(states.byRoot).set(root, next) };
}

const isSame = (a: Known, b: Known): boolean =>
  a.isFollowed === b.isFollowed &&
  a.lastSeq === b.lastSeq &&
  a.readSeq === b.readSeq &&
  a.confirmedSeq === b.confirmedSeq &&
  a.lastReadSeq === b.lastReadSeq;

const merge = (known: Known, update: Known): Known => ({
  isFollowed: update.isFollowed,
  lastSeq: Math.max(known.lastSeq, update.lastSeq),
  readSeq: Math.max(known.readSeq, update.readSeq),
  confirmedSeq: Math.max(known.confirmedSeq, update.confirmedSeq),
  lastReadSeq: Math.max(known.lastReadSeq, update.lastReadSeq),
});

type State = { isFollowed: boolean; lastSeq: number; unreadCount: number; lastReadSeq: number };

function toKnown({ isFollowed, lastSeq, unreadCount, lastReadSeq }: State): Known {
  const readSeq = lastSeq - unreadCount;
  return { isFollowed, lastSeq, readSeq, confirmedSeq: readSeq, lastReadSeq };
}

/** Applies a state that the server sent for this user, unless a later one has been applied. */
export function withThreadState(states: ThreadStates, state: ThreadState): ThreadStates {
  const { root, followed, lastSeq, lastReadSeq, unreadCount } = state;
  const update = toKnown({ isFollowed: followed, lastSeq, unreadCount, lastReadSeq });
  const known = states.byRoot.get(root);
  if (!known) return withKnown(states, root, update);
  const isEarlier = lastSeq < known.lastSeq && update.readSeq < known.confirmedSeq;
  const merged = merge(known, update);
  return withKnown(states, root, isEarlier ? { ...merged, isFollowed: known.isFollowed } : merged);
}

/** A message in a response, which shows the thread that it is the root of. */
export type Root = Pick<Message, '_id' | 'thread'>;

/** Applies a response, which may have been requested before a state arrived. */
export function withRoot(states: ThreadStates, { _id: root, thread }: Root): ThreadStates {
  const { followed, lastSeq, unreadCount = 0 } = thread ?? {};
  if (followed === undefined || lastSeq === undefined) return states;
  const update = toKnown({ isFollowed: followed, lastSeq, unreadCount, lastReadSeq: 0 });
  const known = states.byRoot.get(root);
  if (!known) return withKnown(states, root, update);
  const isLater = lastSeq > known.lastSeq || update.readSeq > known.confirmedSeq;
  return withKnown(states, root, merge(known, { ...update, isFollowed: isLater ? followed : known.isFollowed }));
}

/** A reply from another user. */
export function withReply(states: ThreadStates, root: string, seq: number): ThreadStates {
  const known = states.byRoot.get(root);
  return known ? withKnown(states, root, { ...known, lastSeq: Math.max(known.lastSeq, seq) }) : states;
}

/** Applies what this device has shown. */
export function withSeenReply(states: ThreadStates, root: string, seq: number): ThreadStates {
  const known = states.byRoot.get(root);
  if (!known) return states;
  const readSeq = Math.max(known.readSeq, seq);
  return withKnown(states, root, { ...known, readSeq, lastReadSeq: Math.max(known.lastReadSeq, seq) });
}

/** Applies the server's total, which does not include what this device has shown since. */
export function withTotal({ byRoot }: ThreadStates, total: number): ThreadStates {
  const unconfirmedCount = [...byRoot.values()].reduce(
    (sum, known) => sum + countUnread({ ...known, readSeq: known.confirmedSeq }) - countUnread(known),
    0,
  );
  return { total: Math.max(0, total - unconfirmedCount), byRoot };
}

export type ThreadReads = {
  isFollowed: boolean;
  unreadCount: number;
  /** At most the position of the last reply that the user has read. */
  lastReadSeq: number;
};

const UNKNOWN: ThreadReads = { isFollowed: false, unreadCount: 0, lastReadSeq: 0 };

export function threadReads({ byRoot }: ThreadStates, root: string): ThreadReads {
  const known = byRoot.get(root);
  if (!known) return UNKNOWN;
  const { isFollowed, readSeq, lastReadSeq } = known;
  // Without a state, the unread replies are taken for the last ones.
  return { isFollowed, unreadCount: countUnread(known), lastReadSeq: lastReadSeq || readSeq };
}

/** Whether the counts include the reply, which those of a thread that is not followed need not. */
export function isReplyKnown({ byRoot }: ThreadStates, root: string, seq: number): boolean {
  const known = byRoot.get(root);
  return known !== undefined && (!known.isFollowed || known.lastSeq >= seq);
}
