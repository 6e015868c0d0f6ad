import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Button } from '../../ui/button.tsx';
import { DialogBody, DialogFooter } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { theme } from '../../ui/theme.ts';
import { shortDate } from '../../ui/time-words.ts';
import type { Invitation } from './use-users.ts';

const DELIVERY = {
  queued: 'The e-mail is on its way.',
  sent: 'The e-mail has been sent.',
  failed: 'The e-mail could not be sent. Please pass the link on yourself.',
};

type Props = { invitation: Invitation; onAnother: () => void; onDone: () => void };

/** How the e-mail fared, and the link for the administrator to pass on: it is shown this once. */
export function InviteResult({ invitation, onAnother, onDone }: Props) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(invitation.inviteUrl);
      setCopied(true);
    } catch {
      // Without the clipboard (plain HTTP) the link stands there to be selected.
    }
  };
  return (
    <>
      <DialogBody>
        <p>
          <strong>
            {invitation.firstName} {invitation.lastName}
          </strong>{' '}
          is invited at {invitation.email}. {DELIVERY[invitation.delivery]}
        </p>
        <Link>
          <TextField
            label="Invitation link"
            value={invitation.inviteUrl}
            onChange={() => undefined}
            description={`For one use, until ${shortDate(invitation.expiresAt)}`}
            isReadOnly
          />
          <Button icon={isCopied ? <Check /> : <Copy />} onPress={() => void copy()}>
            {isCopied ? 'Copied' : 'Copy link'}
          </Button>
        </Link>
      </DialogBody>
      <DialogFooter>
        <Button onPress={onAnother}>Invite another</Button>
        <Button variant="primary" onPress={onDone}>
          Done
        </Button>
      </DialogFooter>
    </>
  );
}

const Link = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: ${theme.space[2]};
  align-items: start;
  > button {
    margin-top: 24px;
  }
`;
