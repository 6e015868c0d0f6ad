import type { User } from '@atrium/proto-events/people';
import { displayName } from '#entities/user/person.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { useUserActions } from './use-user-actions.ts';

type Props = { user: User; onClose: () => void };

export function DeleteUserDialog({ user, onClose }: Props) {
  const { remove } = useUserActions();
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => remove(user._id)}
      success="User deleted successfully"
      title="Delete User"
      action="Delete User"
      failure="Failed to delete user"
    >
      <p>
        Are you sure you want to delete <strong dir="auto">{displayName(user)}</strong>? They will be signed out
        immediately and lose access. What they wrote is kept. This action cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
