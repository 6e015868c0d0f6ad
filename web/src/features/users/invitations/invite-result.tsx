import { useInvitations } from '../../../entities/user/use-invitations.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyableLink } from '../../../ui/fields/copyable-link.tsx';
import { DialogBody, DialogFooter } from '../../../ui/overlays/dialog.tsx';
import { shortDate } from '../../../ui/times/time-format.ts';
import { DELIVERY_SENTENCES } from './delivery-labels.ts';
import type { InvitationWithLink } from './use-invitation-actions.ts';

type Props = {
  invitation: InvitationWithLink;
  /** Of the list of invitations, where it stands: a new one on the first. */
  page?: string;
  onAnother?: () => void;
  onDone: () => void;
};

/** How the e-mail fares, followed while this is open, and the link for the administrator to pass on: it is shown this once. */
export function InviteResult({ invitation, page, onAnother, onDone }: Props) {
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
        {/* Focused, so that many can be invited without leaving the keyboard; Esc is done. */}
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
