import type { Conversation } from '@atrium/proto-events/http/chat';
import { Initials } from '#ui/initials-circle.tsx';
import { Avatar } from '../user/avatar.tsx';
import { usePresence } from '../user/presence.ts';
import { otherParticipant } from './conversation.ts';
import { conversationInitials } from './conversation-labels.ts';

type Props = { conversation: Conversation; currentUserId: string; size?: number };

export function ConversationAvatar({ conversation, currentUserId, size = 36 }: Props) {
  const otherUser = conversation.type === 'direct' ? otherParticipant(conversation, currentUserId) : undefined;
  const presenceOf = usePresence(otherUser ? [otherUser] : []);
  if (!otherUser || otherUser.deleted)
    return <Initials id={conversation._id} letters={conversationInitials(conversation)} size={size} />;
  return <Avatar user={otherUser} size={size} presence={presenceOf(otherUser)} />;
}
