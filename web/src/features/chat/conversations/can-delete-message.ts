import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';

/** The message's abilities decide; broadcast copies lack them, so then the conversation's do. */
export function canDeleteMessage(message: Message, { abilities }: Conversation, me: string): boolean {
  if (message.abilities) return message.abilities.delete;
  return message.sender._id === me || abilities.deleteMessages;
}
