import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { ThreadState } from '@atrium/proto-events/realtime';

/** What is known of a thread. Within a revision, values only increase, so that states can arrive in any order, and repeatedly. */
type Known = {
  conversation: string;
  /** Increases when replies are marked as unread. */
  revision: number;
  isFollowed: boolean;
  lastSeq: number;
  /** `lastSeq` minus the unread replies of the latest state, or up to where this device has shown replies. */
  readSeq: number;
  /** The same without what this device has shown and the server has not confirmed. */
  confirmedSeq: number;
  /** Negative without a state. */
  lastReadSeq: number;
};

const UNKNOWN_SEQ = -1;

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
  a.revision === b.revision &&
  a.isFollowed === b.isFollowed &&
  a.lastSeq === b.lastSeq &&
  a.readSeq === b.readSeq &&
  a.confirmedSeq === b.confirmedSeq &&
  a.lastReadSeq === b.lastReadSeq;

/** `isLater` is about two states of the same revision. */
function merge(known: Known, update: Known, isLater: boolean): Known {
  const lastSeq = Math.max(known.lastSeq, update.lastSeq);
  if (update.revision < known.revision) return { ...known, lastSeq };
  if (update.revision > known.revision) return { ...update, lastSeq };
  return {
    conversation: known.conversation,
    revision: known.revision,
    isFollowed: isLater ? update.isFollowed : known.isFollowed,
    lastSeq,
    readSeq: Math.max(known.readSeq, update.readSeq),
    confirmedSeq: Math.max(known.confirmedSeq, update.confirmedSeq),
    lastReadSeq: Math.max(known.lastReadSeq, update.lastReadSeq),
  };
}

type State = Omit<Known, 'readSeq' | 'confirmedSeq'> & { unreadCount: number };

function toKnown({ unreadCount, ...state }: State): Known {
  const readSeq = state.lastSeq - unreadCount;
  return { ...state, readSeq, confirmedSeq: readSeq };
}

/** Without following the thread, a user has no revision. */
const revisionIn = (known: Known | undefined, isFollowed: boolean, revision = 0): number =>
  isFollowed ? revision : (known?.revision ?? 0);

/** Applies a state that the server sent for this user, unless a later one has been applied. */
export function withThreadState(states: ThreadStates, state: ThreadState): ThreadStates {
  const { conversation, root, followed, lastSeq, lastReadSeq, unreadCount, readRevision } = state;
  const known = states.byRoot.get(root);
  const revision = revisionIn(known, followed, readRevision);
  const update = toKnown({ conversation, revision, isFollowed: followed, lastSeq, unreadCount, lastReadSeq });
  if (!known) return withKnown(states, root, update);
  const isEarlier = lastSeq < known.lastSeq && update.readSeq < known.confirmedSeq;
  return withKnown(states, root, merge(known, update, !isEarlier));
}

/** A message in a response, which shows the thread that it is the root of. */
export type Root = Pick<Message, '_id' | 'conversation' | 'thread'>;

/** Applies a response, which may have been requested before a state arrived. */
export function withRoot(states: ThreadStates, { _id: root, conversation, thread }: Root): ThreadStates {
  const { followed, lastSeq, unreadCount = 0, readRevision } = thread ?? {};
  if (followed === undefined || lastSeq === undefined) return states;
  const known = states.byRoot.get(root);
  const revision = revisionIn(known, followed, readRevision);
  const read = { unreadCount, lastReadSeq: UNKNOWN_SEQ };
  const update = toKnown({ conversation, revision, isFollowed: followed, lastSeq, ...read });
  if (!known) return withKnown(states, root, update);
  const isLater = lastSeq > known.lastSeq || update.readSeq > known.confirmedSeq;
  return withKnown(states, root, merge(known, update, isLater));
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

/** Forgets the threads of a conversation, whose states start again if the user is added to it later. */
export function withoutThreads(states: ThreadStates, conversation: string): ThreadStates {
  const removed = [...states.byRoot].filter(([, known]) => known.conversation === conversation);
  if (removed.length === 0) return states;
  const byRoot = new Map(states.byRoot);
  for (const [root] of removed) byRoot.delete(root);
  const unreadCount = removed.reduce((sum, [, known]) => sum + countUnread(known), 0);
  return { total: Math.max(0, states.total - unreadCount), byRoot };
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
  /** Null unless the user follows it, and undefined until it is known. */
  revision: number | null | undefined;
};

const UNKNOWN: ThreadReads = { isFollowed: false, unreadCount: 0, lastReadSeq: 0, revision: undefined };

export function threadReads({ byRoot }: ThreadStates, root: string): ThreadReads {
  const known = byRoot.get(root);
  if (!known) return UNKNOWN;
  const { isFollowed, readSeq, lastReadSeq, revision } = known;
  // Without a state, the unread replies are taken for the last ones.
  const isExact = lastReadSeq > UNKNOWN_SEQ;
  return {
    isFollowed,
    unreadCount: countUnread(known),
    lastReadSeq: isExact ? lastReadSeq : readSeq,
    revision: isFollowed ? revision : null,
  };
}

/** Whether the counts include the reply, which those of a thread that is not followed need not. */
export function isReplyKnown({ byRoot }: ThreadStates, root: string, seq: number): boolean {
  const known = byRoot.get(root);
  return known !== undefined && (!known.isFollowed || known.lastSeq >= seq);
}
