import type { User } from '@atrium/proto-events/people';
import { useState } from 'react';
import { displayName } from '../../entities/person/person.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { Notice } from '../../ui/notice.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { useUserActions } from './use-user-actions.ts';

type Props = { user: User; isOpen: boolean; onClose: () => void };

const FAILURE = 'Failed to delete user';

export function DeleteUserDialog({ user, isOpen, onClose }: Props) {
  const { remove } = useUserActions();
  const [refusal, setRefusal] = useState<string | null>(null);
  const confirm = async () => {
    setRefusal(null);
    try {
      await remove(user._id);
    } catch (error) {
      setRefusal(messageOf(error, FAILURE));
      throw error;
    }
    showSuccess('User deleted successfully');
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={confirm}
      title="Delete User"
      action="Delete User"
      failure={FAILURE}
    >
      <p>
        Are you sure you want to delete <strong dir="auto">{displayName(user)}</strong>? They are signed out at once and
        cannot come back. What they wrote stays. This action cannot be undone.
      </p>
      {refusal && <Notice tone="danger">{refusal}</Notice>}
    </ConfirmDialog>
  );
}
