import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { ArrowLeft, CalendarDays, EllipsisVertical, Info, Paperclip, Trash2 } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { ConversationAvatar } from '#entities/conversation/conversation-avatar.tsx';
import { CONVERSATION_CHOICES } from '#entities/message/message-path.ts';
import { useFragment } from '#lib/hooks/use-fragment.ts';
import { useHasBeenTrue } from '#lib/hooks/use-has-been-true.ts';
import { useMedia } from '#lib/hooks/use-media.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { HiddenOnMobile, MobileOnly } from '#ui/collapsible.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';
import { ChannelCaption } from './conversations/channels/channel-caption.tsx';
import { PaneHeader, PaneTitle } from './pane-header.ts';

const ConversationMenu = lazyNamed(() => import('./conversations/conversation-menu.tsx'), 'ConversationMenu');

type Props = {
  conversation: Conversation;
  onBack: () => void;
  onJumpToDate: () => void;
  onPins: () => void;
  onSearch: () => void;
  onInfo: () => void;
  onDelete: () => void;
};

export function ConversationHeader({ conversation, onBack, onJumpToDate, onPins, onSearch, onInfo, onDelete }: Props) {
  const currentUserId = useCurrentUser()._id;
  const { type, purpose, abilities } = conversation;
  const name = conversationName(conversation, currentUserId);
  return (
    <PaneHeader>
      <MobileOnly>
        <IconButton label="All conversations" onPress={onBack}>
          <ArrowLeft />
        </IconButton>
      </MobileOnly>
      <ConversationAvatar conversation={conversation} currentUserId={currentUserId} />
      <Title>
        <h2 title={name} dir="auto">
          {name}
        </h2>
        <p title={purpose}>
          <ChannelCaption participantCount={conversation.participantCount} purpose={purpose} />
        </p>
      </Title>
      <HiddenOnMobile>
        <Tooltip text="Jump to date">
          <IconButton label="Jump to date" onPress={onJumpToDate}>
            <CalendarDays />
          </IconButton>
        </Tooltip>
      </HiddenOnMobile>
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
      <Options conversation={conversation} onJumpToDate={onJumpToDate} onPins={onPins} onSearch={onSearch} />
    </PaneHeader>
  );
}

type OptionsProps = Pick<Props, 'conversation' | 'onJumpToDate' | 'onPins' | 'onSearch'>;

function Options({ conversation, onJumpToDate, onPins, onSearch }: OptionsProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useHasBeenTrue(isOpen);
  const isPhone = useMedia(theme.media.small);
  const visit = useFragment(CONVERSATION_CHOICES);
  useEffect(() => {
    if (visit !== undefined) setOpen(true);
  }, [visit]);
  return (
    <>
      <IconButton
        ref={button}
        label="Conversation options"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        <EllipsisVertical />
      </IconButton>
      {wasOpened && (
        <Suspense fallback={null}>
          <ConversationMenu
            conversation={conversation}
            onJumpToDate={isPhone ? onJumpToDate : undefined}
            onPins={onPins}
            onSearch={onSearch}
            startsAtChoices={visit !== undefined}
            isOpen={isOpen}
            onClose={() => setOpen(false)}
            triggerRef={button}
          />
        </Suspense>
      )}
    </>
  );
}

const Title = styled(PaneTitle)`
  padding-inline-start: ${theme.space[2]};
  p {
    font-variant-numeric: tabular-nums;
  }
`;
