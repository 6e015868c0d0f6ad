import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { EllipsisVertical, Link, Pencil, SmilePlus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { IconButton } from '#ui/icon-button.tsx';
import { hiddenInPrint } from '#ui/mixins.ts';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { theme } from '#ui/theme.ts';
import { FrequentEmojiButtons } from '../reactions/frequent-emoji-buttons.tsx';

type Props = {
  message: Message;
  isPickerOpen: boolean;
  onPickReaction: (anchor: HTMLElement | null) => void;
  onCopyLink: () => void;
  onEdit: (() => void) | undefined;
  onDelete: (() => void) | undefined;
};

export const findActions = (element: HTMLElement | null) =>
  element?.querySelector<HTMLElement>('[aria-haspopup="true"]');

export function MessageMenu({ message, isPickerOpen, onPickReaction, onCopyLink, onEdit, onDelete }: Props) {
  const addReaction = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <Bar role="group" aria-label="Message">
      <WithMouse>
        <FrequentEmojiButtons message={message} />
      </WithMouse>
      <IconButton
        ref={addReaction}
        label="Add reaction"
        aria-haspopup="dialog"
        aria-expanded={isPickerOpen}
        onPress={() => onPickReaction(addReaction.current)}
      >
        <SmilePlus />
      </IconButton>
      <IconButton label="Copy link to message" onPress={onCopyLink}>
        <Link />
      </IconButton>
      {onEdit && (
        <IconButton label="Edit message" onPress={onEdit}>
          <Pencil />
        </IconButton>
      )}
      <Menu
        label="Message actions"
        isOpen={isOpen}
        onOpenChange={setOpen}
        header={
          <WithTouch>
            <FrequentEmojiButtons message={message} onPress={() => setOpen(false)} />
          </WithTouch>
        }
        trigger={
          <IconButton label="Message actions">
            <EllipsisVertical />
          </IconButton>
        }
      >
        <MenuItem icon={<Link />} onAction={onCopyLink}>
          Copy link
        </MenuItem>
        {onEdit && (
          <MenuItem icon={<Pencil />} onAction={onEdit}>
            Edit
          </MenuItem>
        )}
        {onDelete && (
          <MenuItem icon={<Trash2 />} tone="danger" onAction={onDelete}>
            Delete
          </MenuItem>
        )}
      </Menu>
    </Bar>
  );
}

const WithMouse = styled.div`
  display: flex;
  ${theme.media.small} {
    display: none;
  }
`;

const WithTouch = styled.div`
  display: none;
  ${theme.media.small} {
    display: flex;
    justify-content: space-between;
    padding-bottom: ${theme.space[1]};
    margin-bottom: ${theme.space[1]};
    border-bottom: 1px solid ${theme.color.line};
  }
`;

const Bar = styled.div`
  position: absolute;
  top: -14px;
  inset-inline-end: ${theme.space[2]};
  display: flex;
  padding: 1px;
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.low};
  opacity: 0;
  /* The touch that shows the bar must not press one of its buttons. */
  @media (hover: none) {
    pointer-events: none;
  }
  article:hover > div > &,
  article:focus > div > &,
  article:focus-within > div > &,
  &:has([aria-expanded='true']) {
    opacity: 1;
    pointer-events: auto;
  }
  ${hiddenInPrint}
`;

/** Uses the message's abilities, or the conversation's for a broadcast copy, which has none of its own. */
export function canDeleteMessage(message: Message, { abilities }: Conversation, currentUserId: string): boolean {
  if (message.abilities) return message.abilities.delete;
  return message.sender._id === currentUserId || abilities.deleteMessages;
}
