import { registerBody } from '@atrium/proto-events/http/auth';
import { z } from 'zod';

/** The contract's fields and the password once more. */
export const setupSchema = registerBody
  .extend({ confirmPassword: z.string().min(1, 'Please confirm your password') })
  .refine((values) => values.password === values.confirmPassword, {
    path: ['confirmPassword'],
    error: 'Passwords do not match',
  });
