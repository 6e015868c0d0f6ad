import type { Invitation } from '@atrium/proto-events/http/invitations';
import type { PillTone } from '#ui/pill.tsx';

type Delivery = Invitation['delivery'];

export const DELIVERY_LABELS: Record<Delivery, string> = {
  queued: 'Email queued',
  sent: 'Email sent',
  failed: 'Email failed',
  uncertain: 'Email unconfirmed',
};

export const DELIVERY_TONES: Record<Delivery, PillTone> = {
  queued: 'info',
  sent: 'success',
  failed: 'danger',
  uncertain: 'warning',
};

export const DELIVERY_SENTENCES: Record<Delivery, string> = {
  queued: 'The email is on its way.',
  sent: 'The email has been sent.',
  failed: 'The email could not be sent. Please share the link yourself.',
  uncertain: 'The mail server did not confirm the email. Ask whether it arrived, or share the link yourself.',
};
