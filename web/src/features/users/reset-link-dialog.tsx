import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { createResetLink } from '@atrium/proto-events/http/passwords';
import type { User } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import { useState } from 'react';
import { displayName } from '../../entities/person/person.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { LinkToCopy } from '../../ui/fields/link-to-copy.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../ui/overlays/dialog.tsx';
import { clockTime } from '../../ui/times/time-words.ts';
import { useUserActions } from './use-user-actions.ts';

type Props = { user: User; isOpen: boolean; onClose: () => void };

/** For someone who cannot get into their account: a link with which they set a new password. */
export function ResetLinkDialog({ user, isOpen, onClose }: Props) {
  const [link, setLink] = useState<ResponseOf<typeof createResetLink> | null>(null);
  const { make, isBusy, refusal } = useMaking(user, setLink);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Password reset link"
      description={`${isolate(displayName(user))}, ${user.email}`}
    >
      <DialogBody>
        {link ? (
          <LinkToCopy
            label="Reset link"
            url={link.resetUrl}
            description={`For one use, until ${clockTime(link.expiresAt)}. It is shown only here.`}
          />
        ) : (
          <p>
            Whoever has the link can set a new password for this account within an hour, and is signed in with it. Pass
            it on to {user.firstName} only.
          </p>
        )}
        {refusal && <Notice tone="danger">{refusal}</Notice>}
      </DialogBody>
      <DialogFooter>
        {link ? (
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>Cancel</Button>
            <Button variant="primary" onPress={() => void make()} isBusy={isBusy}>
              Make reset link
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  );
}

function useMaking(user: User, onMade: (link: ResponseOf<typeof createResetLink>) => void) {
  const { makeResetLink } = useUserActions();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const make = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      onMade(await makeResetLink(user._id));
    } catch (error) {
      setRefusal(messageOf(error, 'Failed to make a reset link'));
    }
    setBusy(false);
  };
  return { make, isBusy, refusal };
}
