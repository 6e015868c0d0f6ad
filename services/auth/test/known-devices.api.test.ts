import { deviceAdded } from '@atrium/proto-events/events/auth';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { applyRetention } from '@atrium/service-kit/postgres/housekeeping';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { describe, expect, it } from '@jest/globals';
import { retentionRules } from '../src/retention.ts';
import { hashToken } from '../src/secrets/crypto.ts';
import { attemptsFromAddress } from '../src/sign-in/login-failures.ts';
import {
  createMember,
  getSessionId,
  invite,
  PASSWORD,
  requestResetToken,
  type SignedIn,
  signIn,
  startWithAdmin,
} from './factories.ts';

const { service, admin } = await startWithAdmin();

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0';
const signInAs = async (email: string, overrides: Parameters<typeof signIn>[2] = {}) =>
  (await signIn(service, email, overrides)).body as SignedIn;
const failSignIn = (email: string, from: string, device?: string) =>
  signIn(service, email, { password: 'Wrong#Horse1', from, ...(device && { device }) });
const countAddedDevices = (userId: string) => service.countPublished(deviceAdded, (data) => data.userId === userId);

describe('the device token', () => {
  it('is returned by every kind of sign-in, and stays the same for a device that sends it', async () => {
    const { token } = await invite(service, admin);
    const acceptResponse = await service.call('POST', '/auth/accept-invite', { body: { token, password: PASSWORD } });
    for (const { device } of [admin, acceptResponse.body as SignedIn]) expect(device).toMatch(/^[\w-]{43}$/);
    const firstSession = await signInAs(admin.user.email);
    expect((await signInAs(admin.user.email)).device).not.toBe(firstSession.device);
    expect((await signInAs(admin.user.email, { device: firstSession.device })).device).toBe(firstSession.device);
    // One browser with two users needs one token.
    const member = await createMember(service, admin);
    expect((await signInAs(member.user.email, { device: firstSession.device })).device).toBe(firstSession.device);
  });

  it('is replaced when a browser sends a malformed token', async () => {
    for (const device of ['', 'guessable', 'x'.repeat(90)]) {
      expect((await signInAs(admin.user.email, { device })).device).toMatch(/^[\w-]{43}$/);
    }
    expect((await signIn(service, admin.user.email, { device: 'x'.repeat(101) })).status).toBe(400);
  });

  it('is stored only as a hash', async () => {
    const { device } = await signInAs(admin.user.email);
    const storedRows = JSON.stringify(await service.query('select row_to_json(d)::text as row from known_devices d'));
    expect(storedRows).toContain(hashToken(device).toString('hex'));
    expect(storedRows).not.toContain(device);
  });
});

describe('a device that is new to an account', () => {
  it('is published once with device and address', async () => {
    const { user, device } = await createMember(service, admin);
    const knownSession = await signInAs(user.email, { device });
    const otherSession = await signInAs(user.email, { from: '192.0.2.9', userAgent: FIREFOX });
    await signInAs(user.email, { device: otherSession.device });
    const event = await service.waitForEvent(deviceAdded, ({ userId }) => userId === user._id);
    expect(event.actorId).toBe(user._id);
    expect(event.data).toEqual({
      userId: user._id,
      sessionId: getSessionId(otherSession),
      at: expect.any(String),
      device: 'Firefox on Linux',
      address: '192.0.2.9',
    });
    expect(getSessionId(knownSession)).not.toBe(getSessionId(otherSession));
    await signInAs(admin.user.email);
    expect(countAddedDevices(user._id)).toBe(1);
  });

  it('is not published if it is the first device of the account', async () => {
    const { user } = await createMember(service, admin);
    await service.query('delete from known_devices where user_id = $1', [user._id]);
    await signInAs(user.email);
    const secondSession = await signInAs(user.email);
    const event = await service.waitForEvent(deviceAdded, ({ userId }) => userId === user._id);
    expect(event.data.sessionId).toBe(getSessionId(secondSession));
    expect(countAddedDevices(user._id)).toBe(1);
  });
});

describe('the devices of scripts', () => {
  const countDevices = async (userId: string) =>
    (await service.query('select from known_devices where user_id = $1', [userId])).length;

  it('are deleted after eight days without use, unlike those of browsers', async () => {
    const { user } = await createMember(service, admin);
    await service.query('delete from known_devices where user_id = $1', [user._id]);
    const usedSession = await signInAs(user.email, { userAgent: 'curl/8.17.0' });
    for (let run = 0; run < 5; run += 1) await signInAs(user.email, { userAgent: 'curl/8.17.0' });
    await signInAs(user.email, { userAgent: FIREFOX });
    await service.query(
      `update known_devices set first_used_at = now() - interval '9 days', last_used_at = now() - interval '9 days'
       where user_id = $1`,
      [user._id],
    );
    await signInAs(user.email, { device: usedSession.device, userAgent: 'curl/8.17.0' });
    const db = createDb(service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
    await applyRetention(db, retentionRules({ SESSION_MAX_DAYS: 180 }));
    await db.pool.end();
    expect(await countDevices(user._id)).toBe(2);
  });
});

describe('wrong passwords', () => {
  it('from the same address do not lock out a known device, which has its own count', async () => {
    const { user, device } = await createMember(service, admin);
    const from = '192.0.2.20';
    for (let count = 0; count < 10; count += 1) expect((await failSignIn(user.email, from)).status).toBe(401);
    expect((await signIn(service, user.email, { from })).status).toBe(429);
    expect((await signIn(service, user.email, { from, device })).status).toBe(200);
    for (let count = 0; count < 10; count += 1) expect((await failSignIn(user.email, from, device)).status).toBe(401);
    expect((await signIn(service, user.email, { from, device })).status).toBe(429);
    expect((await signIn(service, user.email, { from: '192.0.2.21' })).status).toBe(200);
  });

  it('with a device token of another account count as without one', async () => {
    const { user } = await createMember(service, admin);
    for (let count = 0; count < 10; count += 1) await failSignIn(user.email, '192.0.2.22');
    expect((await signIn(service, user.email, { from: '192.0.2.22', device: admin.device })).status).toBe(429);
  });

  it('from many addresses are limited to 100 per hour per account, while known devices can sign in', async () => {
    const { user, device } = await createMember(service, admin);
    const statuses: number[] = [];
    for (let net = 0; net < 20; net += 1) {
      const guesses = Array.from({ length: 50 }, (_, host) => failSignIn(user.email, `198.18.${net}.${host}`));
      for (const { status } of await Promise.all(guesses)) statuses.push(status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(900);
    const strangerResponse = await signIn(service, user.email, { from: '198.19.0.1' });
    expect(strangerResponse.status).toBe(429);
    expect(Number(strangerResponse.headers.get('retry-after'))).toBeGreaterThan(50 * 60);
    expect((await signIn(service, user.email, { from: '198.19.0.2', device })).status).toBe(200);
    expect((await signIn(service, admin.user.email, { from: '198.18.0.1' })).status).toBe(200);
    await service.query(
      `update login_failures set failed_at = array(select at - interval '1 hour' from unnest(failed_at) at)`,
    );
    expect((await signIn(service, user.email, { from: '198.19.0.1' })).status).toBe(200);
  });

  it('from one IPv6 network count as from one address', async () => {
    const { user } = await createMember(service, admin);
    const statuses: number[] = [];
    for (let host = 1; host <= 12; host += 1)
      statuses.push((await failSignIn(user.email, `2001:db8:1:2::${host}`)).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect((await failSignIn(user.email, '2001:DB8:1:2:ffff::1')).status).toBe(429);
    expect((await failSignIn(user.email, '2001:db8:1:3::1')).status).toBe(401);
  });
});

it('a password reset deletes the known devices of the account', async () => {
  const member = await createMember(service, admin);
  const token = await requestResetToken(service, member);
  const body = { token, password: 'Another#Horse2' };
  const { device } = (await service.call('POST', '/auth/reset-password', { body })).body as SignedIn;
  const from = '192.0.2.30';
  for (let count = 0; count < 10; count += 1) await failSignIn(member.user.email, from);
  const signInFrom = (deviceToken: string) =>
    signIn(service, member.user.email, { ...body, from, device: deviceToken });
  expect((await signInFrom(member.device)).status).toBe(429);
  expect((await signInFrom(device)).status).toBe(200);
  expect(countAddedDevices(member.user._id)).toBe(0);
});

describe('one password tried on many accounts', () => {
  const FAILURES = 299;

  it.each([
    ['an address', '198.51.100.77', '198.51.100.77', '198.51.100.78'],
    ['a /56 of IPv6', '2001:db8:7:100::1', '2001:db8:7:1ff::9', '2001:db8:7:200::1'],
  ])(
    'is rejected after 300 failures from %s within 15 minutes, except on known devices',
    async (_description, from, sameNetwork, otherNetwork) => {
      const { user, device } = await createMember(service, admin);
      expect((await failSignIn('nobody@example.org', from)).status).toBe(401);
      const [, , addressLimit] = attemptsFromAddress('nobody@example.org', from);
      await service.query(
        `update login_failures set failed_at = array_fill(now(), array[${FAILURES}]) where key = '\\x${addressLimit?.key.toString('hex')}'`,
      );
      expect((await failSignIn('somebody@example.org', sameNetwork)).status).toBe(401);
      const rejectedResponse = await failSignIn('anybody@example.org', sameNetwork);
      expect(rejectedResponse.status).toBe(429);
      expect(rejectedResponse.body).toMatchObject({
        message: 'Too many failed sign-in attempts. Please try again later.',
      });
      expect((await signIn(service, user.email, { from: sameNetwork })).status).toBe(429);
      expect((await signIn(service, user.email, { from: sameNetwork, device })).status).toBe(200);
      expect((await failSignIn('anybody@example.org', otherNetwork)).status).toBe(401);
    },
  );
});
