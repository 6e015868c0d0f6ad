import { Dialog } from '#ui/overlays/dialog.tsx';
import { InviteResult } from './invite-result.tsx';
import type { InvitationWithLink } from './use-invitation-actions.ts';

type Props = { invitation: InvitationWithLink; page: string; onClose: () => void };

/** Shows the new link after resending. */
export function ResendDialog({ invitation, page, onClose }: Props) {
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
