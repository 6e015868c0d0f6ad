import type { Message } from '@atrium/proto-events/http/chat/messages';

/**
 * By conversation, the seqs of messages that mention the user, and of those known not to. Seqs instead of counts, so that
 * the read position decides which of them are unread, and events can arrive repeatedly.
 */
export type KnownMentions = ReadonlyMap<string, ReadonlyMap<number, boolean>>;

export const NO_MENTIONS: KnownMentions = new Map();

/** In each conversation. */
const MAX_KNOWN_SEQS = 200;

type Mentioning = Pick<Message, 'sender' | 'mentions'>;

/** The server counts mentions of those who are online for everyone. */
export const mentionsUser = (
  { sender, mentions }: Mentioning,
  userId: string | null,
  groupIds: readonly string[] = [],
): boolean =>
  sender._id !== userId &&
  (mentions.here ||
    mentions.everyone ||
    mentions.users.some(({ _id }) => _id === userId) ||
    mentions.groups.some(({ _id }) => groupIds.includes(_id)));

type Position = { conversation: string; seq: number };

/** Returns the same object if nothing changes. */
export function withMention(known: KnownMentions, { conversation, seq }: Position, isMention: boolean): KnownMentions {
  const seqs = known.get(conversation);
  if (seqs?.get(seq) === isMention) return known;
  return new Map(known).set(conversation, withoutOldest(new Map(seqs).set(seq, isMention)));
}

/** Each change of a message adds its seq, so those of the oldest messages are removed, mentions last. */
function withoutOldest(seqs: Map<number, boolean>): Map<number, boolean> {
  if (seqs.size <= MAX_KNOWN_SEQS) return seqs;
  const others = [...seqs].flatMap(([seq, isMention]) => (isMention ? [] : [seq]));
  seqs.delete(Math.min(...(others.length > 0 ? others : seqs.keys())));
  return seqs;
}

/** True if an event of a new message arrives after one of its changes, which is later. */
export const isMentionKnown = (known: KnownMentions, { conversation, seq }: Position): boolean =>
  known.get(conversation)?.has(seq) ?? false;

type ListedMentions = { conversation: string; lastSeq: number; mentions: readonly number[] };

type Request = {
  sinceRequest: KnownMentions;
  isComplete: boolean;
  /** The last message that was known when the response was requested. */
  lastSeqAtRequest: (conversation: string) => number;
};

/**
 * Applies a response, which is later than what is known of its messages, but not than what has arrived since the request.
 * An earlier request may have been answered with later messages. Conversations that it does not list have no unread
 * mentions, unless it is incomplete.
 */
export function withListedMentions(
  known: KnownMentions,
  listed: readonly ListedMentions[],
  { sinceRequest, isComplete, lastSeqAtRequest }: Request,
): KnownMentions {
  const byConversation = new Map(listed.map((item) => [item.conversation, item]));
  const conversations = isComplete ? [...known.keys(), ...byConversation.keys()] : [...byConversation.keys()];
  const updated = new Map(known);
  for (const conversation of conversations) {
    const { lastSeq = lastSeqAtRequest(conversation), mentions = [] } = byConversation.get(conversation) ?? {};
    const seqs = new Map(
      [...(known.get(conversation) ?? [])].map(([seq, isMention]) => [seq, isMention && seq > lastSeq]),
    );
    for (const seq of mentions) seqs.set(seq, true);
    for (const [seq, isMention] of sinceRequest.get(conversation) ?? []) seqs.set(seq, isMention);
    updated.set(conversation, seqs);
  }
  return updated;
}

type Reads = { lastReadSeq: number; unreadCount: number };

export function countMentions(known: KnownMentions, conversation: string, { lastReadSeq, unreadCount }: Reads): number {
  const seqs = [...(known.get(conversation) ?? [])];
  return Math.min(unreadCount, seqs.filter(([seq, isMention]) => isMention && seq > lastReadSeq).length);
}
