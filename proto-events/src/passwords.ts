import { z } from 'zod';
import { maxChars, minChars } from './fields.ts';

/** A new password: the specification's strength rules, each with its own message (section 5). */
export const newPassword = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .check(
    minChars(8, 'Password must be at least 8 characters long'),
    maxChars(100, 'Password must not exceed 100 characters'),
  )
  .regex(/[a-z]/, 'Password must contain at least one lowercase letter')
  .regex(/[A-Z]/, 'Password must contain at least one uppercase letter')
  .regex(/\d/, 'Password must contain at least one number')
  .regex(/[@$!%*?&#]/, 'Password must contain at least one special character (@$!%*?&#)');

/** A password at sign-in: has only its own rule, so that an old password never locks a user out. */
export const loginPassword = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .check(minChars(6, 'Password must be at least 6 characters'), maxChars(1000, 'Invalid credentials'));

/** Message for a commonly leaked password; the auth service has the list. */
export const COMMON_PASSWORD = 'This password is too common. Please choose another one.';
