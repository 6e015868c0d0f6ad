import { resetPasswordBody } from '@atrium/proto-events/http/passwords';
import { confirmation, isConfirmed, NOT_CONFIRMED } from '#lib/forms/confirmed-password.ts';

/** The contract's fields and a confirmation of the password. */
export const resetPasswordSchema = resetPasswordBody.extend(confirmation).refine(isConfirmed, NOT_CONFIRMED);
