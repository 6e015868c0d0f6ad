import { registerBody } from '@atrium/proto-events/http/auth';
import { confirmation, isConfirmed, NOT_CONFIRMED } from '../../lib/confirmed-password.ts';

/** The contract's fields and the password once more. */
export const setupSchema = registerBody.extend(confirmation).refine(isConfirmed, NOT_CONFIRMED);
