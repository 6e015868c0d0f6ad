import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';

/** The server says so with a message; where one copy of it goes to all, by the conversation. */
export function mayDelete(message: Message, { abilities }: Conversation, me: string): boolean {
  if (message.abilities) return message.abilities.delete;
  return message.sender._id === me || abilities.deleteMessages;
}
