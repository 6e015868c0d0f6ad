import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';

/** What the server says with a message, or with the conversation where one copy of it goes to all; a server of before it said either knows the latter. */
type Told = { abilities?: { delete: boolean } | undefined };
type ToldOfAll = { deleteMessages?: boolean | undefined; delete: boolean };

export function mayDelete(message: Message & Told, conversation: Conversation, me: string): boolean {
  if (message.abilities) return message.abilities.delete;
  const { deleteMessages, delete: mayDeleteAll }: ToldOfAll = conversation.abilities;
  return message.sender._id === me || (deleteMessages ?? mayDeleteAll);
}
