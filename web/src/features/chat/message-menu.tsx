import type { Message } from '@atrium/proto-events/http/chat-messages';
import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { theme } from '../../ui/theme.ts';
import { removeMessage } from './message-actions.ts';

type Props = { message: Message; onEdit: (() => void) | undefined };

/** What one may do with a message; in sight while it is pointed at or focused, and always where there is nothing to point with. */
export function MessageMenu({ message, onEdit }: Props) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Place>
      <Menu
        label="Message actions"
        trigger={
          <IconButton label="Message actions">
            <EllipsisVertical />
          </IconButton>
        }
      >
        {onEdit && (
          <MenuItem icon={<Pencil />} onAction={onEdit}>
            Edit
          </MenuItem>
        )}
        <MenuItem icon={<Trash2 />} tone="danger" onAction={() => setAsking(true)}>
          Delete
        </MenuItem>
      </Menu>
      {isAsking && (
        <ConfirmDialog
          isOpen
          onClose={() => setAsking(false)}
          onConfirm={() => removeMessage(message)}
          title="Delete message"
          action="Delete"
          failure="Failed to delete message"
        >
          Delete this message? This cannot be undone.
        </ConfirmDialog>
      )}
    </Place>
  );
}

const Place = styled.div`
  position: absolute;
  top: -6px;
  right: ${theme.space[2]};
  opacity: 0;
  > button {
    border: 1px solid ${theme.color.line};
    background: ${theme.color.surface};
    box-shadow: ${theme.shadow.low};
  }
  article:hover > div > &,
  &:focus-within,
  &:has([aria-expanded='true']) {
    opacity: 1;
  }
  @media (hover: none) {
    top: 0;
    right: 0;
    opacity: 1;
    > button {
      width: 32px;
      height: 32px;
      border-color: transparent;
      background: transparent;
      box-shadow: none;
      color: ${theme.color.text3};
    }
  }
`;
