import type { Invitation } from '@atrium/proto-events/http/invitations';
import type { PillTone } from '../../../ui/pill.tsx';

type Delivery = Invitation['delivery'];

/** Whether the e-mail of an invitation has left, in a word. */
export const DELIVERY_LABELS: Record<Delivery, string> = {
  queued: 'E-mail queued',
  sent: 'E-mail sent',
  failed: 'E-mail failed',
  uncertain: 'Email unconfirmed',
};

export const DELIVERY_TONES: Record<Delivery, PillTone> = {
  queued: 'info',
  sent: 'success',
  failed: 'danger',
  uncertain: 'warning',
};

/** The same in a sentence. */
export const DELIVERY_SENTENCES: Record<Delivery, string> = {
  queued: 'The e-mail is on its way.',
  sent: 'The e-mail has been sent.',
  failed: 'The e-mail could not be sent. Please pass the link on yourself.',
  uncertain: 'The mail server did not confirm the email. Ask whether it arrived, or share the link yourself.',
};
