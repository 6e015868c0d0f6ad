import type { User } from '@atrium/proto-events/people';
import { Eye, KeyRound, LogOut, MessageSquare, MoreHorizontal, Pencil, Trash2 } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { canMessage, directPath, displayName } from '#entities/user/user-labels.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#ui/overlays/menu.tsx';

export type UserAction = 'view' | 'edit' | 'reset' | 'sign-out' | 'delete';

export type UserActionsProps = {
  user: User;
  canManage: boolean;
  onAction: (action: UserAction, user: User) => void;
};

export function UserActionsMenu({ user, canManage, onAction }: UserActionsProps) {
  const currentUserId = useCurrentUser()._id;
  const isOneself = currentUserId === user._id;
  const navigate = useNavigate();
  const label = `Actions for ${displayName(user)}`;
  return (
    <Menu
      label={label}
      trigger={
        <IconButton label={label}>
          <MoreHorizontal />
        </IconButton>
      }
    >
      <MenuItem icon={<Eye />} onAction={() => onAction('view', user)}>
        View details
      </MenuItem>
      {canMessage(user, currentUserId) && (
        <MenuItem icon={<MessageSquare />} onAction={() => void navigate(directPath(user._id))}>
          Message
        </MenuItem>
      )}
      {canManage && (
        <>
          <MenuItem icon={<Pencil />} onAction={() => onAction('edit', user)}>
            Edit
          </MenuItem>
          {/* Invited users have neither password nor sessions; the current user's are in the settings. */}
          {!user.invited && !isOneself && (
            <>
              <MenuItem icon={<KeyRound />} onAction={() => onAction('reset', user)}>
                Password reset link
              </MenuItem>
              <MenuItem icon={<LogOut />} onAction={() => onAction('sign-out', user)}>
                Sign out everywhere
              </MenuItem>
            </>
          )}
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} tone="danger" onAction={() => onAction('delete', user)}>
            Delete
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
