import type { Invitation } from '@atrium/proto-events/http/invitations';
import { useInvitations } from '#entities/user/use-users.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { Button } from '#ui/button.tsx';
import { CopyableLink } from '#ui/fields/copyable-link.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { shortDate } from '#ui/times/time-format.ts';
import { DELIVERY_SENTENCES } from './delivery-labels.ts';
import { type InvitationWithLink, useInvitationActions } from './use-invitation-actions.ts';

type InviteResultProps = {
  invitation: InvitationWithLink;
  page?: string;
  onAnother?: () => void;
  onDone: () => void;
};

export function InviteResult({ invitation, page, onAnother, onDone }: InviteResultProps) {
  const pending = useInvitations(true, page).data?.data.find(({ _id }) => _id === invitation._id);
  return (
    <>
      <DialogBody>
        <p>
          <strong>
            {invitation.firstName} {invitation.lastName}
          </strong>{' '}
          has been invited ({invitation.email}).{' '}
          <span role="status">{DELIVERY_SENTENCES[pending?.delivery ?? invitation.delivery]}</span>
        </p>
        <CopyableLink
          label="Invitation link"
          url={invitation.inviteUrl}
          description={`Works once. Expires ${shortDate(invitation.expiresAt)}. You won’t see this link again.`}
        />
      </DialogBody>
      <DialogFooter>
        {/* Focused, so that many people can be invited by keyboard; Esc closes. */}
        {onAnother && (
          <Button onPress={onAnother} autoFocus>
            Invite another
          </Button>
        )}
        <Button variant="primary" onPress={onDone} autoFocus={!onAnother}>
          Done
        </Button>
      </DialogFooter>
    </>
  );
}

type ResendDialogProps = { invitation: InvitationWithLink; page: string; onClose: () => void };

export function ResendDialog({ invitation, page, onClose }: ResendDialogProps) {
  return (
    <Dialog
      onClose={onClose}
      title="Invitation sent again"
      description="The link in the earlier email no longer works."
    >
      <InviteResult invitation={invitation} page={page} onDone={onClose} />
    </Dialog>
  );
}

type RevokeDialogProps = { invitation: Invitation; onClose: () => void };

export function RevokeDialog({ invitation, onClose }: RevokeDialogProps) {
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
