import { acceptInviteBody } from '@atrium/proto-events/http/auth';
import { z } from 'zod';

/** The contract's fields and the password once more. */
export const acceptInviteSchema = acceptInviteBody
  .required({ phone: true, location: true })
  .extend({ confirmPassword: z.string().min(1, 'Please confirm your password') })
  .refine((values) => values.password === values.confirmPassword, {
    path: ['confirmPassword'],
    error: 'Passwords do not match',
  });
