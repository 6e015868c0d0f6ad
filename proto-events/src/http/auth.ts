import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, id, idParams, optionalPhone, optionalText, pageOf, pageQuery, requiredText, time } from '../fields.ts';
import { loginPassword, newPassword } from '../passwords.ts';
import { departmentRef, role, userStatus, userSummary } from '../people.ts';

/** The signed-in person, as sign-in answers them; `GET /users/profile` has the rest. */
export const sessionUser = z.object({
  _id: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role,
  status: userStatus,
  department: departmentRef.nullable(),
  avatar: z.string().nullable(),
});

/** A JWT of 15 minutes and an opaque token of 30 days that changes at each use (decisions, section 2). */
export const tokenPair = z.object({ accessToken: z.string(), refreshToken: z.string() });
export const authAnswer = tokenPair.extend({ user: sessionUser });

const names = {
  firstName: requiredText('First name is required', 100),
  lastName: requiredText('Last name is required', 100),
};

export const loginBody = z.object({ email, password: loginPassword });
export const registerBody = z.object({ email, password: newPassword, ...names });
export const inviteBody = z.object({ email, ...names, role, department: id.nullable().optional() });
export const acceptInviteBody = z.object({
  token: z
    .string({ error: 'Invalid invitation token' })
    .min(1, 'Invalid invitation token')
    .max(200, 'Invalid invitation token'),
  password: newPassword,
  phone: optionalPhone.optional(),
  location: optionalText(200).optional(),
});

/** The link of an e-mail carries it; what does not fit is answered like one that nobody made. */
const resetToken = z
  .string({ error: 'Invalid reset token' })
  .min(1, 'Invalid reset token')
  .max(200, 'Invalid reset token');

export const forgotPasswordBody = z.object({ email });
export const resetPasswordBody = z.object({ token: resetToken, password: newPassword });
export const changePasswordBody = z.object({
  currentPassword: z
    .string({ error: 'Current password is required' })
    .min(1, 'Current password is required')
    .max(1000, 'Current password is incorrect'),
  newPassword,
});

/** Whether the e-mail with a link has left: `queued` also while the mail server is away, `failed` when it was refused for good. */
export const delivery = z.enum(['queued', 'sent', 'failed']);
export type Delivery = z.infer<typeof delivery>;

/** An invitation that has not been accepted. */
export const invitation = z.object({
  _id: id,
  user: id.describe('The invited person, already in the user list'),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role,
  department: departmentRef.nullable(),
  invitedBy: userSummary,
  createdAt: time,
  expiresAt: time,
  expired: z.boolean(),
  delivery,
});
export type Invitation = z.infer<typeof invitation>;

/** What the administrator who made it may copy; shown only in that answer. */
const invitationWithLink = invitation.extend({
  inviteUrl: z.string().describe('For the administrator to copy; shown only in this answer'),
});

/** One place where somebody is signed in. */
export const session = z.object({
  _id: id,
  device: z.string().describe('Browser and system, such as "Firefox on Linux"; "Unknown device" where they do not say'),
  address: z.string().nullable().describe('The network address of the last use'),
  createdAt: time.describe('When they signed in'),
  lastUsedAt: time.describe('To a quarter of an hour: when its tokens were last renewed'),
  expiresAt: time,
  current: z.boolean().describe('Whether this call came from it'),
});
export type Session = z.infer<typeof session>;

export const getSetup = endpoint({
  method: 'GET',
  path: '/auth/setup',
  summary: 'Whether the workspace still needs its first administrator',
  access: 'public',
  response: z.object({ setupRequired: z.boolean(), registration: z.enum(['invitation', 'open']) }),
  status: 200,
});

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  summary: 'Sign in',
  access: 'public',
  body: loginBody,
  response: authAnswer,
  status: 200,
  errors: ['invalid_credentials'],
});

export const register = endpoint({
  method: 'POST',
  path: '/auth/register',
  summary: 'Create the first administrator, or a member where registration is open',
  access: 'public',
  body: registerBody,
  response: authAnswer,
  status: 201,
  errors: ['forbidden', 'conflict'],
});

export const invite = endpoint({
  method: 'POST',
  path: '/auth/invite',
  summary: 'Invite a person by e-mail (administrators)',
  access: 'user',
  body: inviteBody,
  response: invitationWithLink,
  status: 201,
  errors: ['forbidden', 'conflict'],
});

export const acceptInvite = endpoint({
  method: 'POST',
  path: '/auth/accept-invite',
  summary: 'Activate an invited account and sign in',
  access: 'public',
  body: acceptInviteBody,
  response: authAnswer,
  status: 201,
  errors: ['invalid_token', 'token_expired'],
});

export const refresh = endpoint({
  method: 'POST',
  path: '/auth/refresh',
  summary: 'Exchange a refresh token for new tokens',
  access: 'public',
  body: z.object({
    refreshToken: z.string({ error: 'No refresh token available' }).min(1, 'No refresh token available').max(200),
  }),
  response: tokenPair,
  status: 200,
});

export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  summary: 'End this session',
  access: 'user',
  status: 204,
});

export const listInvites = endpoint({
  method: 'GET',
  path: '/auth/invites',
  summary: 'Invitations that were not accepted yet, newest first (administrators)',
  access: 'user',
  query: pageQuery,
  response: pageOf(invitation),
  status: 200,
  errors: ['forbidden'],
});

export const resendInvite = endpoint({
  method: 'POST',
  path: '/auth/invites/:id/resend',
  summary: 'Send an invitation again, with a new link for seven days; the old link ends (administrators)',
  access: 'user',
  params: idParams,
  response: invitationWithLink,
  status: 200,
  errors: ['forbidden', 'not_found'],
});

export const revokeInvite = endpoint({
  method: 'DELETE',
  path: '/auth/invites/:id',
  summary: 'Take an invitation back; the person leaves the user list and the address becomes free (administrators)',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['forbidden', 'not_found'],
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
  response: authAnswer,
  status: 200,
  errors: ['invalid_token', 'token_expired'],
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/change-password',
  summary: 'Change your own password; your other sessions end',
  access: 'user',
  body: changePasswordBody,
  response: tokenPair,
  status: 200,
});

export const createResetLink = endpoint({
  method: 'POST',
  path: '/users/:id/reset-link',
  summary: 'Make a link of an hour with which a person sets a new password (administrators)',
  access: 'user',
  params: idParams,
  response: z.object({ resetUrl: z.string(), expiresAt: time }),
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  summary: 'Where you are signed in, the latest use first',
  access: 'user',
  query: pageQuery,
  response: pageOf(session),
  status: 200,
});

export const revokeSession = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/:id',
  summary: 'Sign out one of your sessions',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['not_found'],
});
