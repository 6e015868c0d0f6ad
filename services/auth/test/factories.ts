import { randomBytes } from 'node:crypto';
import {
  accountActivated,
  accountRegistered,
  invitationCreated,
  passwordResetRequested,
} from '@atrium/proto-events/events/auth';
import type { DirectoryUser, Role } from '@atrium/proto-events/people';
import { startService } from '@atrium/service-kit/service/start-service';
import { buildUser } from '@atrium/test-kit/build-user';
import { startTestService, type TestService } from '@atrium/test-kit/start-test-service';
import { afterAll } from '@jest/globals';
import { compactDecrypt, decodeJwt } from 'jose';
import { authService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

export const SEALING_KEY = new Uint8Array(randomBytes(32));
export const PASSWORD = 'Correct#Horse1';

const ENV = {
  PUBLIC_URL: 'https://atrium.example.org/',
  KEY_ENCRYPTION_SECRET: 'known to this suite alone',
  LINK_SEALING_KEY: Buffer.from(SEALING_KEY).toString('base64url'),
  TRUSTED_PROXIES: '127.0.0.1',
};

/** Starts a process like `main.ts`. */
export const startProcess = (env: Record<string, string>) => startService(authService, readConfig(env));

/** Starts the service with its own database and no accounts. */
export const startAuth = (extraEnv: Record<string, string> = {}) =>
  startTestService('auth', startProcess, { ...ENV, ...extraEnv });

export type SignedIn = {
  accessToken: string;
  refreshToken: string;
  device: string;
  user: { _id: string; email: string };
};

/** The directory entry of a deactivated user, whose sessions have ended. */
export const buildDeactivatedUser = (_id: string): DirectoryUser =>
  buildUser({ _id, status: 'inactive', sessionsValidAfter: Date.now() + 1, version: 3 });

let emailCount = 0;
export const buildEmail = () => `someone${++emailCount}@example.org`;

/** The directory entry that the users service would publish. */
const buildDirectoryEntry = (
  { userId, email, role }: { userId: string; email: string; role: Role },
  status: 'active' | 'inactive',
): DirectoryUser => buildUser({ _id: userId, email, role, status });

/** Registers a user and adds them to the directory. */
export async function register(service: TestService, overrides: Record<string, unknown> = {}): Promise<SignedIn> {
  const body = { email: buildEmail(), password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace', ...overrides };
  const response = service.call('POST', '/auth/register', { body });
  const { data } = await service.waitForEvent(accountRegistered, ({ email }) => email === body.email);
  service.addToDirectory(buildDirectoryEntry(data, 'active'));
  return (await response).body as SignedIn;
}

/** Starts the service with its first administrator for one test file. */
export async function startWithAdmin() {
  const service = await startAuth();
  afterAll(() => service.close());
  try {
    return { service, admin: await register(service) };
  } catch (error) {
    // `afterAll` does not run if loading the file fails.
    await service.close();
    throw error;
  }
}

export const bearer = ({ accessToken }: Pick<SignedIn, 'accessToken'>) => ({ authorization: `Bearer ${accessToken}` });

/** Returns the token of the invitation link. */
export async function invite(service: TestService, by: SignedIn, overrides: Record<string, unknown> = {}) {
  const body = { email: buildEmail(), firstName: 'Paul', lastName: 'Invited', role: 'member', ...overrides };
  const response = await service.call('POST', '/auth/invite', { headers: bearer(by), body });
  if (response.status !== 201) throw new Error(`Failed to invite: ${JSON.stringify(response.body)}`);
  const { inviteUrl, user } = response.body as { inviteUrl: string; user: string };
  const { data } = await service.waitForEvent(invitationCreated, ({ userId }) => userId === user);
  service.addToDirectory(buildDirectoryEntry(data, 'inactive'));
  return { id: data.invitationId, token: parseToken(inviteUrl), userId: user, email: body.email, data };
}

export const parseToken = (url: string) => new URL(url).searchParams.get('token') ?? '';

/** Opens a sealed link like the notifications service. */
export async function decryptLink(sealed: string): Promise<string> {
  const { plaintext } = await compactDecrypt(sealed, SEALING_KEY);
  return new TextDecoder().decode(plaintext);
}

export const postForgotPassword = (service: TestService, email: string) =>
  service.call('POST', '/auth/forgot-password', { body: { email } });

/** Returns the token of the reset link. */
export async function requestResetToken(service: TestService, { user }: SignedIn): Promise<string> {
  await postForgotPassword(service, user.email);
  const { data } = await service.waitForEvent(passwordResetRequested, ({ userId }) => userId === user._id);
  return parseToken(await decryptLink(data.sealedUrl));
}

export const getSessionId = ({ accessToken }: Pick<SignedIn, 'accessToken'>) => String(decodeJwt(accessToken).sid);

export const refresh = (service: TestService, refreshToken: string) =>
  service.call('POST', '/auth/refresh', { body: { refreshToken } });

/** Invites a user who accepts. */
export async function createMember(service: TestService, by: SignedIn, role: Role = 'member'): Promise<SignedIn> {
  const { token, userId, data } = await invite(service, by, { role });
  const response = service.call('POST', '/auth/accept-invite', { body: { token, password: PASSWORD } });
  await service.waitForEvent(accountActivated, (activated) => activated.userId === userId);
  service.addToDirectory({ ...buildDirectoryEntry(data, 'active'), version: 2 });
  return (await response).body as SignedIn;
}

type SignInOptions = { password?: string; from?: string; userAgent?: string; device?: string };

export const signIn = (
  service: TestService,
  email: string,
  { password, from, userAgent, device }: SignInOptions = {},
) =>
  service.call('POST', '/auth/login', {
    body: { email, password: password ?? PASSWORD, device },
    headers: { ...(from && { 'x-forwarded-for': from }), ...(userAgent && { 'user-agent': userAgent }) },
  });
