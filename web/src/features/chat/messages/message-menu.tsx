import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { EllipsisVertical, Link, MessageSquareReply, Pencil, SmilePlus } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { css, styled } from 'styled-components';
import { useHasBeenTrue } from '#lib/hooks/use-has-been-true.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { IconButton, NativeIconButton } from '#ui/icon-button.tsx';
import { hiddenInPrint } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { FrequentEmojiButtons } from '../reactions/frequent-emoji-buttons.tsx';
import { THREAD_OF } from '../replies/focus-thread-opener.ts';
import { senderAndTime } from './message-entry.tsx';
import type { MessageActions } from './message-menu-items.tsx';

const MessageMenuItems = lazyNamed(() => import('./message-menu-items.tsx'), 'MessageMenuItems');

type Props = MessageActions & {
  /** Whether the message has been hovered or focused: the other buttons are not mounted before. */
  isReached: boolean;
  isPickerOpen: boolean;
  onPickReaction: (anchor: HTMLElement | null) => void;
};

export const findActions = (element: HTMLElement | null) =>
  element?.querySelector<HTMLElement>('[aria-haspopup="menu"]');

export function MessageMenu({ isReached, isPickerOpen, onPickReaction, ...actions }: Props) {
  const { message } = actions;
  const menuButton = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useHasBeenTrue(isOpen);
  return (
    <Bar
      role="group"
      aria-label="Message"
      aria-description={senderAndTime(message.sender, message.createdAt)}
      $isReached={isReached}
    >
      {isReached && <FrequentActions {...actions} isPickerOpen={isPickerOpen} onPickReaction={onPickReaction} />}
      <NativeIconButton
        ref={menuButton}
        label="Message actions"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        {...(!isReached && actions.onReply && { [THREAD_OF]: message._id })}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => event.key === 'ArrowDown' && setOpen(true)}
      >
        {isReached && <EllipsisVertical />}
      </NativeIconButton>
      {wasOpened && (
        <Suspense fallback={null}>
          <MessageMenuItems {...actions} isOpen={isOpen} onClose={() => setOpen(false)} triggerRef={menuButton} />
        </Suspense>
      )}
    </Bar>
  );
}

type FrequentActionsProps = Omit<Props, 'isReached'>;

function FrequentActions({ isPickerOpen, onPickReaction, ...actions }: FrequentActionsProps) {
  const { message, isReadOnly, onReply, onCopyLink, onEdit } = actions;
  const addReaction = useRef<HTMLButtonElement>(null);
  return (
    <>
      {!isReadOnly && (
        <>
          <EmojiRow>
            <FrequentEmojiButtons message={message} />
          </EmojiRow>
          <IconButton
            ref={addReaction}
            label="Add reaction"
            aria-haspopup="dialog"
            aria-expanded={isPickerOpen}
            onPress={() => onPickReaction(addReaction.current)}
          >
            <SmilePlus />
          </IconButton>
        </>
      )}
      {onReply && (
        <IconButton label="Reply in thread" onPress={onReply} {...{ [THREAD_OF]: message._id }}>
          <MessageSquareReply />
        </IconButton>
      )}
      <IconButton label="Copy link to message" onPress={onCopyLink}>
        <Link />
      </IconButton>
      {onEdit && (
        <IconButton label="Edit message" onPress={onEdit}>
          <Pencil />
        </IconButton>
      )}
    </>
  );
}

/** On phones, the menu contains it. */
const EmojiRow = styled.div`
  display: flex;
  ${theme.media.small} {
    display: none;
  }
`;

const barStyles = css`
  padding: 1px;
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.low};
  opacity: 0;
  article:hover > div > &,
  article:focus > div > &,
  article:focus-within > div > &,
  &:has([aria-expanded='true']) {
    opacity: 1;
    pointer-events: auto;
  }
`;

/** Shows nothing before the message is reached. */
const Bar = styled.div<{ $isReached: boolean }>`
  position: absolute;
  top: -14px;
  inset-inline-end: ${theme.space[2]};
  display: flex;
  /* The touch that shows the bar must not press one of its buttons. */
  @media (hover: none) {
    pointer-events: none;
  }
  ${({ $isReached }) => $isReached && barStyles}
  ${hiddenInPrint}
`;

/** Uses the message's abilities, or the conversation's for a broadcast copy, which has none of its own. */
export function canDeleteMessage(message: Message, { abilities }: Conversation, currentUserId: string): boolean {
  if (message.abilities) return message.abilities.delete;
  return message.sender._id === currentUserId || abilities.deleteMessages;
}
