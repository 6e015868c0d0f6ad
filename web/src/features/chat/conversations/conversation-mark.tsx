import type { Conversation } from '@atrium/proto-events/http/chat';
import { otherPerson } from '../../../entities/conversation.ts';
import { useIsOnline } from '../../../realtime/presence.ts';
import { Avatar, LetterMark } from '../../../ui/people/avatar.tsx';
import { conversationLetters } from './conversation-words.ts';

type Props = { conversation: Conversation; me: string; size?: number };

/** The other person with their presence, or the conversation's letters. */
export function ConversationMark({ conversation, me, size = 36 }: Props) {
  const other = conversation.type === 'direct' ? otherPerson(conversation, me) : undefined;
  const isOnline = useIsOnline(other ? [other] : []);
  if (!other || other.deleted)
    return <LetterMark id={conversation._id} letters={conversationLetters(conversation)} size={size} />;
  return <Avatar person={other} size={size} presence={isOnline(other) ? 'online' : 'offline'} />;
}
