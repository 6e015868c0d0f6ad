import type { Message } from '@atrium/proto-events/http/chat/messages';

/** Completes a broadcast with what only another copy of the message shows: the link to an original, and the user's votes. */
export function withKnownParts(message: Message, other: Message): Message {
  const forwarded = withKnownOrigin(message.forwarded, other.forwarded);
  const poll = withKnownVotes(message.poll, other.poll);
  return forwarded === message.forwarded && poll === message.poll ? message : { ...message, forwarded, poll };
}

function withKnownOrigin(forwarded: Message['forwarded'], other: Message['forwarded']): Message['forwarded'] {
  if (!forwarded || !other || forwarded.message !== undefined || other.message === undefined) return forwarded;
  return { ...forwarded, message: other.message, conversation: other.conversation };
}

/** The user's own votes are those that they have cast last, whichever copy is later. */
function withKnownVotes(poll: Message['poll'], other: Message['poll']): Message['poll'] {
  if (!poll || !other || other.votedAt === undefined || votedAt(poll) >= votedAt(other)) return poll;
  const mine = new Map(other.options.map((option) => [option.id, option.mine ?? false]));
  return {
    ...poll,
    votedAt: other.votedAt,
    options: poll.options.map((option) => ({ ...option, mine: mine.get(option.id) ?? false })),
  };
}

/** ISO timestamps are in order as text. A response without a vote is later than a broadcast, which does not say. */
const votedAt = ({ votedAt: time }: NonNullable<Message['poll']>): string => (time === undefined ? '' : (time ?? ' '));
