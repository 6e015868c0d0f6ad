import type { Conversation } from '@atrium/proto-events/http/chat';
import type { UserSummary } from '@atrium/proto-events/people';
import { displayName, PEOPLE_OF_EACH } from '../user/person.ts';

/** Screens that use this query share one response. */
export const LATEST_CONVERSATIONS = { limit: 100, people: PEOPLE_OF_EACH } as const;

/** The other participant of a direct conversation; the user themselves in a conversation with themselves. */
export function otherParticipant(
  { participants }: Pick<Conversation, 'participants'>,
  me: string,
): UserSummary | undefined {
  return participants.find(({ _id }) => _id !== me) ?? participants[0];
}

/** The other participant's name in a direct conversation, otherwise the title. */
export function conversationName(conversation: Conversation, me: string): string {
  if (conversation.type === 'direct') return displayName(otherParticipant(conversation, me));
  return conversation.title || 'Untitled conversation';
}

/** List items include only some of the participants. */
export const countParticipants = ({ participantCount }: Conversation): number => participantCount;
