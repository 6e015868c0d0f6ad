import { registerBody } from '@atrium/proto-events/http/auth';
import { z } from 'zod';
import { confirmation, isConfirmed, NOT_CONFIRMED } from '#lib/forms/confirmed-password.ts';

/** The contract's fields and a confirmation of the password; the token if the server requires it. */
export const setupSchema = (isTokenRequired: boolean) =>
  registerBody
    .omit({ device: true })
    .extend(confirmation)
    .extend({
      setupToken: z
        .string()
        .trim()
        .max(500)
        .refine((token) => !isTokenRequired || token !== '', 'Setup token is required'),
    })
    .refine(isConfirmed, NOT_CONFIRMED);
