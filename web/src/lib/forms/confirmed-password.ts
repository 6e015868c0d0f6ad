import { z } from 'zod';

export const confirmation = { confirmPassword: z.string().min(1, 'Please confirm your password') };

export function isConfirmed(values: { password: string; confirmPassword: string }): boolean {
  return values.password === values.confirmPassword;
}

export const PASSWORD_MISMATCH = { path: ['confirmPassword'], error: 'Passwords do not match' };
