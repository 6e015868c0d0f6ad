import { z } from 'zod';

/** A password being set: the specification's strength rules, each with its own sentence (section 5). */
export const newPassword = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .min(8, 'Password must be at least 8 characters long')
  .max(100, { error: 'Password must not exceed 100 characters', abort: true })
  .regex(/[a-z]/, 'Password must contain at least one lowercase letter')
  .regex(/[A-Z]/, 'Password must contain at least one uppercase letter')
  .regex(/\d/, 'Password must contain at least one number')
  .regex(/[@$!%*?&#]/, 'Password must contain at least one special character (@$!%*?&#)');

/** A password being checked: login has only its own rule, so that an old password never locks anyone out. */
export const loginPassword = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .min(6, 'Password must be at least 6 characters')
  .max(1000, 'Invalid credentials');
