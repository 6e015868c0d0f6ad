import type { User } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import { displayName } from '#entities/user/person.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useUserActions } from './use-user-actions.ts';

type Props = { user: User; onClose: () => void };

/** For a lost device: ends all sessions; the user can sign in again. */
export function EndSessionsDialog({ user, onClose }: Props) {
  const { endSessions } = useUserActions();
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={async () => {
        await endSessions(user._id);
        showSuccess('Signed out', `${isolate(displayName(user))} is signed out everywhere.`);
      }}
      title="Sign out everywhere?"
      action="Sign Out Everywhere"
      failure="Failed to sign out the person"
    >
      {`${isolate(displayName(user))} will be signed out on every device immediately and can sign in again.`}
    </ConfirmDialog>
  );
}
