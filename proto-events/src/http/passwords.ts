import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, idParams, maxChars, time } from '../fields.ts';
import { COMMON_PASSWORD, newPassword } from '../passwords.ts';
import { authResponse, knownDevice, tokenPair } from './auth.ts';

/** The link of an e-mail carries it; what does not fit is answered like one that nobody made. */
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
  summary: 'Ask for a link to set a new password; the answer is the same whether the address is known or not',
  access: 'public',
  body: forgotPasswordBody,
  status: 202,
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset-password',
  summary: 'Set a new password with a link of an hour that works once; every session ends, and a new one begins',
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
  summary: 'Make a link of an hour with which a person sets a new password (administrators)',
  access: 'admin',
  forbiddenMessage: 'Only administrators can make reset links',
  params: idParams,
  response: z.object({ resetUrl: z.string(), expiresAt: time }),
  status: 200,
  errors: ['not_found', 'conflict'],
});
