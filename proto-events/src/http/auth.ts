import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, id, idParams, maxChars, pageOf, pageQuery, requiredName, time } from '../fields.ts';
import { COMMON_PASSWORD, loginPassword, newPassword } from '../passwords.ts';
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

/**
 * What a browser keeps, beyond signing out, to be known again: 32 bytes in base64url. Wrong passwords of strangers do not count against
 * a device that signed in to that account before.
 */
const deviceToken = z.string().check(maxChars(100));

/** One that nobody made is as good as none: nobody is kept out by what their browser stored. */
export const knownDevice = {
  device: deviceToken.optional().describe('What an earlier sign-in in this browser answered'),
};
export const authResponse = tokenPair.extend({
  user: sessionUser,
  device: deviceToken.optional().describe('To be kept in this browser, and sent with the next sign-in'),
});

/** Of whoever gets an account, by signing up or by invitation. */
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
    .describe('For the first administrator, where `setupTokenRequired` says so'),
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
  response: z.object({
    setupRequired: z.boolean(),
    setupTokenRequired: z
      .boolean()
      .describe('Whether registering the first administrator needs the token that the operator set'),
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
    // Without a maximum length: an unknown token of any form is answered with 401.
    refreshToken: z.string({ error: 'No refresh token available' }).min(1, 'No refresh token available'),
  }),
  response: tokenPair,
  status: 200,
  errors: ['unauthorized', 'session_ended'],
});

export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  summary: 'End this session',
  access: 'user',
  status: 204,
});

export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/auth/sign-out-everywhere',
  summary: 'End all of your sessions, this one too',
  access: 'user',
  status: 204,
});

export const endUserSessions = endpoint({
  method: 'DELETE',
  path: '/users/:id/sessions',
  summary: 'End every session of a person (administrators)',
  access: 'admin',
  forbiddenMessage: 'Only administrators can end the sessions of others',
  params: idParams,
  status: 204,
  errors: ['not_found'],
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
