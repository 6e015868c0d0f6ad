import type { User } from '@atrium/proto-events/people';
import { displayName } from '#entities/user/person.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useUserActions } from './use-user-actions.ts';

type Props = { user: User; isOpen: boolean; onClose: () => void };

export function DeleteUserDialog({ user, isOpen, onClose }: Props) {
  const { remove } = useUserActions();
  const confirm = async () => {
    await remove(user._id);
    showSuccess('User deleted successfully');
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={confirm}
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
