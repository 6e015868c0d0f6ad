import type { Conversation } from '@atrium/proto-events/http/chat';
import { ArrowLeft, CalendarDays, Info, Paperclip, Trash2 } from 'lucide-react';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { ConversationAvatar } from '#entities/conversation/conversation-avatar.tsx';
import { countPeople } from '#entities/user/user-labels.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { MobileOnly } from '#ui/collapsible.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { captionStyles, ellipsis, inlineStyles } from '#ui/mixins.ts';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';

type Props = {
  conversation: Conversation;
  onBack: () => void;
  onJumpToDate: () => void;
  onInfo: () => void;
  onDelete: () => void;
};

export function ConversationHeader({ conversation, onBack, onJumpToDate, onInfo, onDelete }: Props) {
  const currentUserId = useCurrentUser()._id;
  const { type, abilities } = conversation;
  const name = conversationName(conversation, currentUserId);
  return (
    <Head>
      <MobileOnly>
        <IconButton label="All conversations" onPress={onBack}>
          <ArrowLeft />
        </IconButton>
      </MobileOnly>
      <ConversationAvatar conversation={conversation} currentUserId={currentUserId} />
      <TextColumn>
        <h2 title={name} dir="auto">
          {name}
        </h2>
        <p>{countPeople(conversation.participantCount, 'member')}</p>
      </TextColumn>
      <Tooltip text="Jump to date">
        <IconButton label="Jump to date" onPress={onJumpToDate}>
          <CalendarDays />
        </IconButton>
      </Tooltip>
      {type === 'direct' && (
        <Tooltip text="Files and links">
          <IconButton label="Files and links" onPress={onInfo}>
            <Paperclip />
          </IconButton>
        </Tooltip>
      )}
      {type !== 'direct' && (
        <Tooltip text="Info">
          <IconButton label="Info" onPress={onInfo}>
            <Info />
          </IconButton>
        </Tooltip>
      )}
      {type !== 'direct' && abilities.delete && (
        <Tooltip text="Delete">
          <IconButton label="Delete" tone="danger" onPress={onDelete}>
            <Trash2 />
          </IconButton>
        </Tooltip>
      )}
    </Head>
  );
}

const Head = styled.header`
  ${inlineStyles(1)}
  flex: none;
  height: 64px;
  padding: 0 ${theme.space[4]} 0 ${theme.space[6]};
  border-bottom: 1px solid ${theme.color.line};
  background: ${theme.color.surface};
  ${theme.media.small} {
    height: 60px;
    padding: 0 ${theme.space[2]};
  }
`;

const TextColumn = styled.div`
  flex: 1;
  min-width: 0;
  padding-inline-start: ${theme.space[2]};
  h2,
  p {
    ${ellipsis}
  }
  p {
    ${captionStyles}
    font-variant-numeric: tabular-nums;
  }
`;
