import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, id, idParams, maxChars, minChars, pageQuery, requiredName, time } from '../fields.ts';
import { pageOf } from '../pages.ts';
import { departmentRef, role, userStatus } from '../people.ts';

/** A new password; each strength rule has its own message. */
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

/** A password at sign-in. The rules for new passwords do not apply, so that an old password never locks a user out. */
export const loginPassword = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .check(minChars(6, 'Password must be at least 6 characters'), maxChars(1000, 'Invalid credentials'));

/** Message for a commonly leaked password; the auth service has the list. */
export const COMMON_PASSWORD = 'This password is too common. Please choose another one.';

/** The user in sign-in responses; `GET /users/profile` returns more fields. */
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

/** A JWT that is valid for 15 minutes, and an opaque token for 30 days that rotates at each use. */
export const tokenPair = z.object({ accessToken: z.string(), refreshToken: z.string() });

const deviceToken = z.string().check(maxChars(100));

/** An invalid token is ignored, so that stored data never locks a user out. */
export const knownDevice = {
  device: deviceToken.optional().describe('The device token from an earlier sign-in in this browser'),
};
export const authResponse = tokenPair.extend({
  user: sessionUser,
  device: deviceToken.optional().describe('To be stored in this browser and sent with the next sign-in'),
});

export const personNames = {
  firstName: requiredName('First name is required', 100),
  lastName: requiredName('Last name is required', 100),
};

export const loginBody = z.object({ email, password: loginPassword, ...knownDevice });
export const registerBody = z.object({
  email,
  password: newPassword,
  ...personNames,
  ...knownDevice,
  setupToken: z
    .string()
    .check(maxChars(500))
    .optional()
    .describe('For the first administrator, if `setupTokenRequired` is true'),
});

export const session = z.object({
  _id: id,
  device: z.string().describe('Browser and operating system, such as "Firefox on Linux", or "Unknown device"'),
  address: z.string().nullable().describe('IP address of the last use'),
  createdAt: time.describe('Time of the sign-in'),
  lastUsedAt: time.describe('When its tokens were last refreshed, to a quarter of an hour'),
  expiresAt: time,
  current: z.boolean().describe('Whether this request belongs to it'),
});
export type Session = z.infer<typeof session>;

export const getSetup = endpoint({
  method: 'GET',
  path: '/auth/setup',
  summary: 'Get whether the workspace still needs its first administrator',
  access: 'public',
  response: z.object({
    setupRequired: z.boolean(),
    setupTokenRequired: z
      .boolean()
      .describe('Whether registering the first administrator needs the token that the operator configured'),
    registration: z.enum(['invitation', 'open']),
  }),
  status: 200,
});

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  summary: 'Sign in',
  access: 'public',
  body: loginBody,
  response: authResponse,
  status: 200,
  errors: ['invalid_credentials'],
});

export const register = endpoint({
  method: 'POST',
  path: '/auth/register',
  summary: 'Create the first administrator, or a member where registration is open',
  access: 'public',
  body: registerBody,
  response: authResponse,
  status: 201,
  errors: ['forbidden', 'conflict'],
  rules: [COMMON_PASSWORD],
});

export const refresh = endpoint({
  method: 'POST',
  path: '/auth/refresh',
  summary: 'Exchange a refresh token for new tokens',
  access: 'public',
  body: z.object({
    // Has no maximum length, since an unknown token of any form responds 401.
    refreshToken: z.string({ error: 'No refresh token available' }).min(1, 'No refresh token available'),
  }),
  response: tokenPair,
  status: 200,
  errors: ['unauthorized', 'session_ended'],
});

export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  summary: 'Sign out of this session',
  access: 'user',
  status: 204,
});

export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/auth/sign-out-everywhere',
  summary: 'Sign out of all of your sessions, including this one',
  access: 'user',
  status: 204,
});

export const endUserSessions = endpoint({
  method: 'DELETE',
  path: '/users/:id/sessions',
  summary: 'End all sessions of a user (administrators)',
  access: 'admin',
  forbiddenMessage: 'Only administrators can end the sessions of others',
  params: idParams,
  status: 204,
  errors: ['not_found'],
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  summary: 'List your sessions, latest use first',
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
