import { acceptInviteBody } from '@atrium/proto-events/http/invitations';
import { confirmation, isConfirmed, NOT_CONFIRMED } from '#lib/forms/confirmed-password.ts';

/** The contract's fields and a confirmation of the password. */
export const acceptInviteSchema = acceptInviteBody
  .required({ phone: true, location: true })
  .extend(confirmation)
  .refine(isConfirmed, NOT_CONFIRMED);
