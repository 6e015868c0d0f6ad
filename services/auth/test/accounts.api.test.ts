import { accountRegistered, sessionStarted } from '@atrium/proto-events/events/auth';
import { buildUser } from '@atrium/test-kit/build-user';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import {
  buildDeactivatedUser,
  buildEmail,
  createMember,
  invite,
  PASSWORD,
  register,
  type SignedIn,
  signIn,
  startAuth,
} from './factories.ts';

let service: TestService;
let admin: SignedIn;

const getSetup = async () => (await service.call('GET', '/auth/setup')).body;

beforeAll(async () => {
  service = await startAuth();
});
afterAll(() => service.close());

describe('an empty workspace', () => {
  it('accepts exactly one of two concurrent first registrations, as the administrator', async () => {
    expect(await getSetup()).toEqual({ setupRequired: true, setupTokenRequired: false, registration: 'invitation' });
    const emails = [buildEmail(), buildEmail()];
    const responses = await Promise.all(
      emails.map((email) =>
        service.call('POST', '/auth/register', {
          body: { email, password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' },
        }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 403]);
    const rejectedResponse = responses.find(({ status }) => status === 403);
    expect(rejectedResponse?.body).toMatchObject({ message: 'Registration is by invitation only', code: 'forbidden' });
    // The response does not wait indefinitely for a directory that does not receive the user.
    admin = responses.find(({ status }) => status === 201)?.body as SignedIn;
    expect(admin.user).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', role: 'admin', status: 'active' });
    const event = await service.waitForEvent(accountRegistered);
    expect(event.data).toMatchObject({ userId: admin.user._id, email: admin.user.email, role: 'admin' });
    expect(service.countPublished(accountRegistered)).toBe(1);
    service.addToDirectory(
      buildUser({ _id: admin.user._id, email: admin.user.email, role: 'admin', firstName: 'Ada' }),
    );
    expect(await getSetup()).toEqual({ setupRequired: false, setupTokenRequired: false, registration: 'invitation' });
  });

  it('issues 15-minute access tokens with user, role, and session', async () => {
    const claims = decodeJwt(admin.accessToken);
    expect(decodeProtectedHeader(admin.accessToken)).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' });
    expect(claims).toMatchObject({ sub: admin.user._id, role: 'admin', iss: 'atrium', aud: 'atrium-api' });
    expect(claims.sid).toMatch(/^[0-9a-f]{24}$/);
    expect((claims.exp ?? 0) - Math.floor(claims.iat ?? 0)).toBe(15 * 60);
  });
});

it('the first registration requires the configured setup token', async () => {
  const token = 'from the operator alone';
  const guardedService = await startAuth({ SETUP_TOKEN: token, REGISTRATION: 'open' });
  try {
    const getSetupState = async () => (await guardedService.call('GET', '/auth/setup')).body;
    expect(await getSetupState()).toMatchObject({ setupRequired: true, setupTokenRequired: true });
    const body = { email: buildEmail(), password: PASSWORD, firstName: 'Eve', lastName: 'First' };
    for (const setupToken of [undefined, '', 'from the operator alon', `${token} `]) {
      const rejectedResponse = await guardedService.call('POST', '/auth/register', { body: { ...body, setupToken } });
      expect(rejectedResponse).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect((await register(guardedService, { setupToken: token })).user).toMatchObject({ role: 'admin' });
    expect(await getSetupState()).toMatchObject({ setupRequired: false, setupTokenRequired: false });
    expect((await register(guardedService)).user).toMatchObject({ role: 'member' });
  } finally {
    await guardedService.close();
  }
});

describe('POST /auth/register', () => {
  it('reports every missing or weak field with the specified messages', async () => {
    const emptyBodyResponse = await service.call('POST', '/auth/register', { body: {} });
    expect(emptyBodyResponse.status).toBe(400);
    expect((emptyBodyResponse.body as { message: string[] }).message).toEqual([
      'Email is required',
      'Password is required',
      'First name is required',
      'Last name is required',
    ]);
    const invalidBodyResponse = await service.call('POST', '/auth/register', {
      body: { email: 'nobody', password: 'short', firstName: 'A', lastName: 'B' },
    });
    expect((invalidBodyResponse.body as { message: string[] }).message).toEqual([
      'Please enter a valid email address',
      'Password must be at least 8 characters long',
      'Password must contain at least one uppercase letter',
      'Password must contain at least one number',
      'Password must contain at least one special character (@$!%*?&#)',
    ]);
  });

  it('rejects registration once an administrator exists', async () => {
    const body = { email: buildEmail(), password: PASSWORD, firstName: 'Eve', lastName: 'Late' };
    expect((await service.call('POST', '/auth/register', { body })).status).toBe(403);
  });

  it('registers members in open mode, each email once regardless of case', async () => {
    const openService = await startAuth({ REGISTRATION: 'open' });
    try {
      await register(openService);
      const email = buildEmail();
      const member = await register(openService, { email });
      expect(member.user).toMatchObject({ role: 'member', email });
      const duplicateResponse = await openService.call('POST', '/auth/register', {
        body: { email: email.toUpperCase(), password: PASSWORD, firstName: 'X', lastName: 'Y' },
      });
      expect(duplicateResponse.status).toBe(409);
      expect(duplicateResponse.body).toMatchObject({ message: 'A user with this email already exists' });
    } finally {
      await openService.close();
    }
  });
});

describe('POST /auth/login', () => {
  it('signs in regardless of the case of the email, and publishes an event', async () => {
    const { status, body } = await signIn(service, ` ${admin.user.email.toUpperCase()} `);
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { _id: admin.user._id, role: 'admin', firstName: 'Ada' } });
    const { sid } = decodeJwt((body as SignedIn).accessToken);
    const event = await service.waitForEvent(sessionStarted, ({ sessionId }) => sessionId === sid);
    expect(event.data.userId).toBe(admin.user._id);
  });

  it('responds identically to unknown, wrong, invited, and inactive accounts', async () => {
    const invited = await invite(service, admin);
    const inactive = await createMember(service, admin);
    service.addToDirectory(buildDeactivatedUser(inactive.user._id));
    const responses = await Promise.all([
      signIn(service, 'nobody@example.org'),
      signIn(service, admin.user.email, { password: 'Wrong#Horse1' }),
      signIn(service, invited.email),
      signIn(service, inactive.user.email),
    ]);
    for (const { status, body } of responses) {
      expect(status).toBe(401);
      expect(body).toEqual({
        message: 'Invalid credentials',
        code: 'invalid_credentials',
        requestId: expect.any(String),
      });
    }
  });

  it('responds with 503 for a user the directory does not know', async () => {
    const openService = await startAuth({ REGISTRATION: 'open' });
    try {
      const email = buildEmail();
      await openService.call('POST', '/auth/register', {
        body: { email, password: PASSWORD, firstName: 'A', lastName: 'B' },
      });
      const { status, headers } = await signIn(openService, email);
      expect(status).toBe(503);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await openService.close();
    }
  });

  it('rejects bodies that violate the schema', async () => {
    const { status, body } = await service.call('POST', '/auth/login', { body: { email: ' ', password: '123' } });
    expect(status).toBe(400);
    expect((body as { message: string[] }).message).toEqual([
      'Email is required',
      'Please enter a valid email address',
      'Password must be at least 6 characters',
    ]);
  });
});

describe('sign-in after ten failures within fifteen minutes', () => {
  const fail = (email: string, from: string) => signIn(service, email, { password: 'Wrong#Horse1', from });

  it('responds with 429 for the account from the address, even with the right password', async () => {
    const member = await createMember(service, admin);
    const { email } = member.user;
    for (let count = 0; count < 10; count += 1) expect((await fail(email, '192.0.2.1')).status).toBe(401);
    const rejectedResponse = await signIn(service, email.toUpperCase(), { from: '192.0.2.1' });
    expect(rejectedResponse.status).toBe(429);
    expect(rejectedResponse.body).toMatchObject({ code: 'rate_limited' });
    const waitSeconds = Number(rejectedResponse.headers.get('retry-after'));
    expect(waitSeconds).toBeGreaterThan(14 * 60);
    expect(waitSeconds).toBeLessThanOrEqual(15 * 60);
    expect((await signIn(service, email, { from: '192.0.2.2' })).status).toBe(200);
    expect((await signIn(service, admin.user.email, { from: '192.0.2.1' })).status).toBe(200);
    await service.query(
      `update login_failures set failed_at = array(select at - interval '15 minutes' from unnest(failed_at) at)`,
    );
    expect((await signIn(service, email, { from: '192.0.2.1' })).status).toBe(200);
  });

  it('allows no more than ten attempts in a concurrent burst', async () => {
    const { user } = await createMember(service, admin);
    const responses = await Promise.all(Array.from({ length: 30 }, () => fail(user.email, '192.0.2.3')));
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it('counts failures of unknown emails the same way', async () => {
    for (let count = 0; count < 10; count += 1) await fail('nobody2@example.org', '192.0.2.4');
    expect((await fail('nobody2@example.org', '192.0.2.4')).status).toBe(429);
  });

  it('resets the count after a successful sign-in', async () => {
    const { user } = await createMember(service, admin);
    for (let count = 0; count < 9; count += 1) await fail(user.email, '192.0.2.5');
    expect((await signIn(service, user.email, { from: '192.0.2.5' })).status).toBe(200);
    for (let count = 0; count < 9; count += 1) await fail(user.email, '192.0.2.5');
    expect((await signIn(service, user.email, { from: '192.0.2.5' })).status).toBe(200);
  });

  it('ignores forwarding headers from untrusted addresses', async () => {
    const serviceWithoutProxies = await startAuth({ TRUSTED_PROXIES: '' });
    try {
      const { user } = await register(serviceWithoutProxies);
      const guess = (from: string) => signIn(serviceWithoutProxies, user.email, { password: 'Wrong#Horse1', from });
      for (let count = 0; count < 10; count += 1) await guess(`192.0.2.${count}`);
      expect((await guess('192.0.2.77')).status).toBe(429);
    } finally {
      await serviceWithoutProxies.close();
    }
  });
});

describe('every auth endpoint', () => {
  it('rejects malformed JSON, oversized bodies, and other media types with a standard error', async () => {
    const call = (body: string, headers = {}) => service.call('POST', '/auth/login', { body, headers });
    const malformed = await call('{"email":');
    expect(malformed.status).toBe(400);
    expect(malformed.body).toMatchObject({ code: 'invalid_json', requestId: expect.any(String) });
    expect((await call(JSON.stringify({ email: 'x'.repeat(1_100_000) }))).status).toBe(413);
    expect((await call('email=x', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });

  it('rejects text that PostgreSQL cannot store with 400', async () => {
    expect((await signIn(service, 'a\u0000b@example.org')).status).toBe(400);
    expect((await service.call('POST', '/auth/refresh', { body: { refreshToken: 'a\u0000b' } })).status).toBe(401);
  });
});
