import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { Archive, ChartNoAxesColumn, Hash, Lock } from 'lucide-react';
import { Initials } from '#ui/initials-circle.tsx';
import { IconTile } from '#ui/layout/icon-tile.ts';
import { Avatar } from '../user/avatar.tsx';
import { usePresence } from '../user/presence.ts';
import { otherParticipant } from './conversation.ts';

type Props = { conversation: Conversation; currentUserId: string };

const SIZE = 36;

export function ConversationAvatar({ conversation, currentUserId }: Props) {
  const otherUser = conversation.type === 'direct' ? otherParticipant(conversation, currentUserId) : undefined;
  const presenceOf = usePresence(otherUser ? [otherUser] : []);
  if (conversation.type !== 'direct')
    return (
      <IconTile $size={SIZE} aria-hidden="true">
        {iconOf(conversation)}
      </IconTile>
    );
  if (!otherUser || otherUser.deleted) return <Initials id={conversation._id} letters="DM" size={SIZE} />;
  return <Avatar user={otherUser} size={SIZE} presence={presenceOf(otherUser)} />;
}

function iconOf({ type, visibility, archived }: Conversation) {
  if (archived) return <Archive />;
  if (type === 'project') return <ChartNoAxesColumn />;
  return visibility === 'public' ? <Hash /> : <Lock />;
}
