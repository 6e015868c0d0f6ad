import type { Conversation } from '@atrium/proto-events/http/chat';
import type { UserSummary } from '@atrium/proto-events/people';
import { displayName, PEOPLE_OF_EACH } from '../user/person.ts';

/** What is asked for where the latest conversations are listed; screens that ask for the same share one answer. */
export const LATEST_CONVERSATIONS = { limit: 100, people: PEOPLE_OF_EACH } as const;

/** The other person of a direct conversation; oneself in a conversation with oneself. */
export function otherPerson({ participants }: Pick<Conversation, 'participants'>, me: string): UserSummary | undefined {
  return participants.find(({ _id }) => _id !== me) ?? participants[0];
}

/** What a conversation is called: the other person where it is direct, else its title. */
export function conversationName(conversation: Conversation, me: string): string {
  if (conversation.type === 'direct') return displayName(otherPerson(conversation, me));
  return conversation.title || 'Untitled conversation';
}

/** How many take part; an item of a list names only some of them. */
export const countOfPeople = ({ participantCount }: Conversation): number => participantCount;
