import { EllipsisVertical, Link, Pencil, Trash2 } from 'lucide-react';
import { styled } from 'styled-components';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../../ui/overlays/menu.tsx';
import { theme } from '../../../ui/theme.ts';

type Props = { onCopyLink: () => void; onEdit: (() => void) | undefined; onDelete: (() => void) | undefined };

/** The button that opens the menu of a message; null where it has none. */
export const actionsOf = (place: HTMLElement | null) => place?.querySelector<HTMLElement>('[aria-haspopup]');

/** What one may do with a message; in sight while it is pointed at or focused, and always where there is nothing to point with. */
export function MessageMenu({ onCopyLink, onEdit, onDelete }: Props) {
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
