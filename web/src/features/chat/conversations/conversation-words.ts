import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { UserSummary } from '@atrium/proto-events/people';
import { displayName } from '../../../ui/people/person.ts';

/** The other person of a direct conversation; oneself in a conversation with oneself. */
export function otherPerson({ participants }: Pick<Conversation, 'participants'>, me: string): UserSummary | undefined {
  return participants.find(({ _id }) => _id !== me) ?? participants[0];
}

/** What a conversation is called: the other person where it is direct, else its title. */
export function conversationName(conversation: Conversation, me: string): string {
  if (conversation.type === 'direct') return displayName(otherPerson(conversation, me));
  return conversation.title || 'Untitled conversation';
}

/** Initials of a title of several words, else DM or GC (specification, section 2). */
export function conversationLetters({ type, title }: Pick<Conversation, 'type' | 'title'>): string {
  const words = (title ?? '').split(/\s+/).filter(Boolean);
  if (words.length < 2) return type === 'direct' ? 'DM' : 'GC';
  return words
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase();
}

/** The last message in one line; else how many take part (specification, section 2). */
export function conversationPreview({ lastMessage, participants }: Conversation): string {
  return lastMessage ? messageLine(lastMessage) : countPeople(participants.length, 'participant');
}

function messageLine({ deleted, content }: Message): string {
  return deleted ? 'Message deleted' : content.replace(/\s+/g, ' ').trim();
}

export function countPeople(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

/** "Lena is typing…", "Lena and Jonas are typing…", "Several people are typing…". */
export function typingLine(names: readonly string[]): string {
  const [first, second] = names;
  if (first === undefined) return '';
  if (second === undefined) return `${first} is typing…`;
  return names.length === 2 ? `${first} and ${second} are typing…` : 'Several people are typing…';
}
