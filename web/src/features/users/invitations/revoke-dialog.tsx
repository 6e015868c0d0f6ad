import type { Invitation } from '@atrium/proto-events/http/invitations';
import { displayName } from '#entities/user/person.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useInvitationActions } from './use-invitation-actions.ts';

type Props = { invitation: Invitation; isOpen: boolean; onClose: () => void };

export function RevokeDialog({ invitation, isOpen, onClose }: Props) {
  const { revoke } = useInvitationActions();
  const confirm = async () => {
    await revoke(invitation._id);
    showSuccess('Invitation revoked');
  };
  const name = displayName({ ...invitation, _id: invitation.user });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={confirm}
      title="Revoke Invitation"
      action="Revoke"
      failure="Failed to revoke invitation"
    >
      {`Revoke the invitation for ${name}? The link will stop working. You can invite ${invitation.email} again later.`}
    </ConfirmDialog>
  );
}
