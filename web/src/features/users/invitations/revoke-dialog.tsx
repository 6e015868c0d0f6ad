import type { Invitation } from '@atrium/proto-events/http/invitations';
import { displayName } from '#entities/user/person.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { useInvitationActions } from './use-invitation-actions.ts';

type Props = { invitation: Invitation; onClose: () => void };

export function RevokeDialog({ invitation, onClose }: Props) {
  const { revoke } = useInvitationActions();
  const name = displayName({ ...invitation, _id: invitation.user });
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => revoke(invitation._id)}
      success="Invitation revoked"
      title="Revoke Invitation"
      action="Revoke"
      failure="Failed to revoke invitation"
    >
      {`Revoke the invitation for ${name}? The link will stop working. You can invite ${invitation.email} again later.`}
    </ConfirmDialog>
  );
}
