import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { Reacted } from '@atrium/proto-events/realtime';

/**
 * Adds what a broadcast shows about the signed-in user to its reactions. `mine` stays absent if more users have reacted
 * than are listed.
 */
export function withOwnReactions(message: Message, currentUserId: string, reacted?: Reacted): Message {
  const reactions = message.reactions.map((reaction) => {
    if (reacted?.user === currentUserId && reacted.emoji === reaction.emoji)
      return { ...reaction, mine: reacted.isAdded };
    const isListed = reaction.users.some(({ _id }) => _id === currentUserId);
    return isListed || reaction.users.length === reaction.count ? { ...reaction, mine: isListed } : reaction;
  });
  return { ...message, reactions };
}

/** Completes the reactions of a broadcast with those of another copy of the message. */
export function withKnownReactions(message: Message, other: Message): Message {
  if (message.reactions.every(({ mine }) => mine !== undefined)) return message;
  const known = new Map(other.reactions.map(({ emoji, mine }) => [emoji, mine]));
  const reactions = message.reactions.map((reaction) => {
    const mine = reaction.mine ?? known.get(reaction.emoji);
    return mine === undefined ? reaction : { ...reaction, mine };
  });
  return { ...message, reactions };
}
