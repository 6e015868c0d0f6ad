import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { createResetLink } from '@atrium/proto-events/http/passwords';
import type { User } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import { UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { useUser } from '#entities/user/use-users.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { Button } from '#ui/button.tsx';
import { CopyableLink } from '#ui/fields/copyable-link.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { ResourceOverlay } from '#ui/overlays/resource-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { clockTime } from '#ui/times/time-format.ts';
import { EditUserDialog } from './edit-user-dialog.tsx';
import { useUserActions } from './use-user-actions.ts';
import type { UserAction } from './user-actions-menu.tsx';
import { UserDetailsDialog } from './user-details-dialog.tsx';

const DIALOGS = {
  view: UserDetailsDialog,
  edit: EditUserDialog,
  reset: ResetLinkDialog,
  'sign-out': EndSessionsDialog,
  delete: DeleteUserDialog,
} satisfies Record<UserAction, unknown>;

type Props = { action: UserAction; user: User; onClose: () => void };

export function UserActionDialog({ action, user, onClose }: Props) {
  const Chosen = DIALOGS[action];
  return <Chosen user={user} onClose={onClose} />;
}

type UserOverlayProps = {
  action: 'view' | 'edit';
  id: string;
  listed: User | undefined;
  onClose: () => void;
};

export function UserOverlay({ action, id, listed, onClose }: UserOverlayProps) {
  return (
    <ResourceOverlay
      query={useUser(id, listed?._id === id ? listed : undefined)}
      title="User"
      onClose={onClose}
      failure="Failed to load the user"
      notFound={{ icon: <UserRoundX />, title: 'This person no longer exists' }}
    >
      {(user) => <UserActionDialog key={id} action={action} user={user} onClose={onClose} />}
    </ResourceOverlay>
  );
}

type DialogProps = { user: User; onClose: () => void };

function DeleteUserDialog({ user, onClose }: DialogProps) {
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

function EndSessionsDialog({ user, onClose }: DialogProps) {
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

function ResetLinkDialog({ user, onClose }: DialogProps) {
  const [link, setLink] = useState<ResponseOf<typeof createResetLink> | null>(null);
  const { makeResetLink } = useUserActions();
  const { run, isBusy, failure } = useAction(
    async () => setLink(await makeResetLink(user._id)),
    'Failed to create a reset link',
  );
  return (
    <Dialog onClose={onClose} title="Password reset link" description={`${isolate(displayName(user))}, ${user.email}`}>
      <DialogBody>
        {link ? (
          <CopyableLink
            label="Reset link"
            url={link.resetUrl}
            description={`Works once. Expires at ${clockTime(link.expiresAt)}. You won’t see this link again.`}
          />
        ) : (
          <p>
            Anyone with the link can set a new password and sign in to this account within an hour. Share it only with{' '}
            {user.firstName}.
          </p>
        )}
        <FormFailure failure={failure} />
      </DialogBody>
      <DialogFooter>
        {link ? (
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>Cancel</Button>
            <Button variant="primary" onPress={() => void run()} isBusy={isBusy}>
              Create reset link
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  );
}
