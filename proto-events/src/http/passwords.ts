import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, idParams, maxChars, time } from '../fields.ts';
import { authResponse, COMMON_PASSWORD, knownDevice, newPassword, tokenPair } from './auth.ts';

/** The token of an emailed link. A malformed token is handled like an unknown one. */
const resetToken = z
  .string({ error: 'Invalid reset token' })
  .min(1, 'Invalid reset token')
  .check(maxChars(200, 'Invalid reset token'));

export const forgotPasswordBody = z.object({ email });
export const resetPasswordBody = z.object({ token: resetToken, password: newPassword, ...knownDevice });
export const changePasswordBody = z.object({
  currentPassword: z
    .string({ error: 'Current password is required' })
    .min(1, 'Current password is required')
    .check(maxChars(1000, 'Current password is incorrect')),
  newPassword,
});

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/auth/forgot-password',
  summary: 'Request a password reset link; the response is the same whether or not the address is known',
  access: 'public',
  body: forgotPasswordBody,
  status: 202,
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset-password',
  summary: 'Reset a password with a single-use link that is valid for an hour; all sessions end, and a new one starts',
  access: 'public',
  body: resetPasswordBody,
  response: authResponse,
  status: 200,
  errors: ['invalid_token', 'token_expired'],
  rules: [COMMON_PASSWORD],
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/change-password',
  summary: 'Change your own password; your other sessions end',
  access: 'user',
  body: changePasswordBody,
  response: tokenPair,
  status: 200,
  rules: ['Current password is incorrect', COMMON_PASSWORD],
});

export const createResetLink = endpoint({
  method: 'POST',
  path: '/users/:id/reset-link',
  summary: 'Create a password reset link that is valid for an hour (administrators)',
  access: 'admin',
  forbiddenMessage: 'Only administrators can make reset links',
  params: idParams,
  response: z.object({ resetUrl: z.string(), expiresAt: time }),
  status: 200,
  errors: ['not_found', 'conflict'],
});
