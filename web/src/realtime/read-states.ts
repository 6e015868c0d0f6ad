import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { Conversation, getUnread } from '@atrium/proto-events/http/chat/conversations';
import type { ReadState } from '@atrium/proto-events/realtime';
import { NO_THREADS, type ThreadStates, withTotal } from './thread-states.ts';
import { countMentions, type KnownMentions, NO_MENTIONS, withListedMentions } from './unread-mentions.ts';

export type UnreadResponse = ResponseOf<typeof getUnread>;

/** A conversation as a response shows it. */
export type ListedConversation = Pick<Conversation, '_id' | 'lastSeq' | 'lastReadSeq' | 'unreadCount' | 'readRevision'>;

/**
 * What is known of a conversation. Within a revision, events move each value in one direction only, so that they can
 * arrive in any order, and repeatedly.
 */
type Known = {
  /** Increases when messages are marked as unread. */
  revision: number;
  lastSeq: number;
  /**
   * The seq minus the unread messages of the latest state, or up to where this device has shown messages. It includes
   * the user's own later messages, so that `lastSeq - readSeq` messages are unread.
   */
  readSeq: number;
  /**
   * Everything before this message was read: the first one to arrive after the conversation was read completely. 0 after
   * a state, whose `readSeq` is exact.
   */
  firstSeq: number;
  lastReadSeq: number;
};

export type ReadStates = {
  conversations: ReadonlyMap<string, Known>;
  /** Unread messages of conversations beyond those that the response lists. */
  unlistedCount: number;
  threads: ThreadStates;
  mentions: KnownMentions;
  /** Whether a conversation is muted, of those that were: their messages do not count in the total. */
  muted: ReadonlyMap<string, boolean>;
  /** The departments and projects of the user. */
  groupIds: readonly string[];
};

export const NOTHING_UNREAD: ReadStates = {
  conversations: new Map(),
  unlistedCount: 0,
  threads: NO_THREADS,
  mentions: NO_MENTIONS,
  muted: new Map(),
  groupIds: [],
};

const READ: Known = { revision: 0, lastSeq: 0, readSeq: 0, firstSeq: Number.POSITIVE_INFINITY, lastReadSeq: 0 };

const countUnread = ({ lastSeq, readSeq, firstSeq }: Known): number =>
  Math.max(0, lastSeq - Math.max(readSeq, firstSeq - 1));

/** Without a revision, the update belongs to the known one. */
function merge(known: Known, { revision = known.revision, ...update }: Partial<Known>): Known {
  const lastSeq = Math.max(known.lastSeq, update.lastSeq ?? READ.lastSeq);
  if (revision < known.revision) return { ...known, lastSeq };
  const { readSeq, firstSeq, lastReadSeq } = revision > known.revision ? READ : known;
  return {
    revision,
    lastSeq,
    readSeq: Math.max(readSeq, update.readSeq ?? READ.readSeq),
    firstSeq: Math.min(firstSeq, update.firstSeq ?? READ.firstSeq),
    lastReadSeq: Math.max(lastReadSeq, update.lastReadSeq ?? READ.lastReadSeq),
  };
}

const isSame = (a: Known, b: Known): boolean =>
  a.revision === b.revision &&
  a.lastSeq === b.lastSeq &&
  a.readSeq === b.readSeq &&
  a.firstSeq === b.firstSeq &&
  a.lastReadSeq === b.lastReadSeq;

type Update = readonly [conversation: string, update: Partial<Known>];

/** Returns the same object if nothing changes. */
function withUpdates(states: ReadStates, updates: readonly Update[]): ReadStates {
  const conversations = new Map(states.conversations);
  let isChanged = false;
  for (const [conversation, update] of updates) {
    const known = conversations.get(conversation) ?? READ;
    const merged = merge(known, update);
    if (isSame(known, merged)) continue;
    conversations.set(conversation, merged);
    isChanged = true;
  }
  return isChanged ? { ...states, conversations } : states;
}

type State = Pick<ReadState, 'lastSeq' | 'unreadCount' | 'readRevision'> & { lastReadSeq?: number };

const toKnown = ({ lastSeq, unreadCount, lastReadSeq = 0, readRevision }: State): Known => ({
  revision: readRevision,
  lastSeq,
  readSeq: lastSeq - unreadCount,
  firstSeq: 0,
  lastReadSeq,
});

export function unreadIn({ conversations }: ReadStates, listed: ListedConversation): number {
  const known = conversations.get(listed._id);
  return known ? countUnread(known) : listed.unreadCount;
}

export function lastReadSeqIn({ conversations }: ReadStates, listed: ListedConversation): number {
  const known = conversations.get(listed._id);
  if (!known || known.revision < listed.readRevision) return listed.lastReadSeq;
  return known.revision > listed.readRevision ? known.lastReadSeq : Math.max(listed.lastReadSeq, known.lastReadSeq);
}

export const revisionOf = ({ conversations }: ReadStates, conversation: string): number | undefined =>
  conversations.get(conversation)?.revision;

export const revisionIn = ({ conversations }: ReadStates, { _id, readRevision }: ListedConversation): number =>
  Math.max(readRevision, conversations.get(_id)?.revision ?? 0);

export function unreadMentionsIn(states: ReadStates, listed: ListedConversation): number {
  const unreadCount = unreadIn(states, listed);
  if (unreadCount === 0) return 0;
  const { firstSeq } = states.conversations.get(listed._id) ?? READ;
  const readBefore = Number.isFinite(firstSeq) ? firstSeq - 1 : 0;
  const lastReadSeq = Math.max(lastReadSeqIn(states, listed), readBefore);
  return countMentions(states.mentions, listed._id, { lastReadSeq, unreadCount });
}

const sumUnread = ({ conversations, muted }: Pick<ReadStates, 'conversations' | 'muted'>): number =>
  [...conversations].reduce((sum, [id, known]) => (muted.get(id) ? sum : sum + countUnread(known)), 0);

/** Unread messages of conversations that are not muted, and unread replies in followed threads. */
export const totalUnread = (states: ReadStates): number =>
  Math.max(0, sumUnread(states) + states.unlistedCount) + states.threads.total;

export const withMuted = (states: ReadStates, conversation: string, isMuted: boolean): ReadStates => ({
  ...states,
  muted: new Map(states.muted).set(conversation, isMuted),
});

/** Whether the counts include the message. */
export function isMessageKnown({ conversations }: ReadStates, conversation: string, seq: number): boolean {
  const { lastSeq, readSeq, firstSeq } = conversations.get(conversation) ?? READ;
  return readSeq >= seq || (lastSeq >= seq && firstSeq <= seq);
}

export const withListed = (states: ReadStates, listed: readonly ListedConversation[]): ReadStates =>
  withUpdates(
    states,
    listed.map((conversation) => [conversation._id, toKnown(conversation)]),
  );

/** Applies a state that the server sent for this user. */
export const withState = (states: ReadStates, state: State & { conversation: string }): ReadStates =>
  withUpdates(states, [[state.conversation, toKnown(state)]]);

type Message = { conversation: string; seq: number };

export const withReceived = (states: ReadStates, { conversation, seq }: Message): ReadStates =>
  withUpdates(states, [[conversation, { lastSeq: seq, firstSeq: seq }]]);

/** Applies what this device has shown. */
export const withSeen = (states: ReadStates, { conversation, seq }: Message): ReadStates =>
  withUpdates(states, [[conversation, { readSeq: seq, lastReadSeq: seq }]]);

export function withoutConversation(states: ReadStates, conversation: string): ReadStates {
  const conversations = new Map(states.conversations);
  const unmuted = states.muted.get(conversation) ? withMuted(states, conversation, false) : states;
  return conversations.delete(conversation) ? { ...unmuted, conversations } : unmuted;
}

export type UnreadRequest = {
  atRequest: ReadStates;
  /** What has arrived since the request, without anything before. */
  sinceRequest: ReadStates;
};

/** Applies a response. Conversations that it does not list were read after the request, unless marked as unread since. */
export function withResponse(
  states: ReadStates,
  { total, threads, unread, groups: groupIds = [], muted: mutedIds = [] }: UnreadResponse,
  request: UnreadRequest,
): ReadStates {
  const { atRequest, sinceRequest } = request;
  const listed = new Set(unread.map(({ conversation }) => conversation));
  const isUnlisted = ([conversation]: readonly [string, Known]) => !listed.has(conversation);
  const isMutedInResponse = new Set(mutedIds);
  const unlistedCount = unread.reduce(
    (rest, { conversation, count }) => (isMutedInResponse.has(conversation) ? rest : rest - count),
    total,
  );
  const muted = new Map([...mutedIds.map((id) => [id, true] as const), ...sinceRequest.muted]);
  const mentions = withListedMentions(states.mentions, unread, {
    sinceRequest: sinceRequest.mentions,
    isComplete: unlistedCount <= 0,
    lastSeqAtRequest: (conversation) => (atRequest.conversations.get(conversation) ?? READ).lastSeq,
  });
  const updated = withUpdates(
    { ...states, mentions, muted, groupIds, threads: withTotal(states.threads, threads) },
    unread.map(({ conversation, count, lastSeq, readRevision }) => [
      conversation,
      toKnown({ lastSeq, unreadCount: count, readRevision }),
    ]),
  );
  // Of more conversations than a response lists, only the total is known.
  if (unlistedCount > 0)
    return {
      ...updated,
      unlistedCount:
        unlistedCount - sumUnread({ conversations: new Map([...atRequest.conversations].filter(isUnlisted)), muted }),
    };
  const conversations = new Map(updated.conversations);
  for (const [conversation, known] of [...conversations].filter(isUnlisted)) {
    const { lastSeq, revision } = atRequest.conversations.get(conversation) ?? READ;
    if (known.revision > revision) continue;
    // Messages between the last known one and the next may have been read unnoticed.
    const { firstSeq } = sinceRequest.conversations.get(conversation) ?? READ;
    conversations.set(conversation, { ...merge(known, { readSeq: lastSeq, lastReadSeq: lastSeq }), firstSeq });
  }
  return { ...updated, conversations, unlistedCount: 0 };
}
