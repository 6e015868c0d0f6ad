import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, id, optionalPhone, optionalText, requiredText, time } from '../fields.ts';
import { loginPassword, newPassword } from '../passwords.ts';
import { departmentRef, role, userStatus } from '../people.ts';

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
  response: z.object({
    _id: id,
    user: id.describe('The invited person, already in the user list'),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    role,
    department: departmentRef.nullable(),
    expiresAt: time,
    inviteUrl: z.string().describe('For the administrator to copy; shown only in this answer'),
    delivery: z.enum(['queued', 'sent', 'failed']),
  }),
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
