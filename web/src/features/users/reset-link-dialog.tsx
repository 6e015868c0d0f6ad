import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { createResetLink } from '@atrium/proto-events/http/passwords';
import type { User } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import { useState } from 'react';
import { displayName } from '#entities/user/person.ts';
import { Button } from '#ui/button.tsx';
import { CopyableLink } from '#ui/fields/copyable-link.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { clockTime } from '#ui/times/time-format.ts';
import { useUserActions } from './use-user-actions.ts';

type Props = { user: User; onClose: () => void };

/** Creates a password reset link for someone who cannot sign in. */
export function ResetLinkDialog({ user, onClose }: Props) {
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
