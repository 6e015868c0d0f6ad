import { passwordChanged, passwordResetRequested, sessionRevoked } from '@atrium/proto-events/events/auth';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { hashToken } from '../src/secrets/crypto.ts';
import {
  bearer,
  buildDeactivatedUser,
  buildEmail,
  createMember,
  invite,
  openSealed,
  PASSWORD,
  postForgotPassword,
  refresh,
  requestResetToken,
  type SignedIn,
  sessionIdOf,
  signIn,
  startWithAdmin,
  tokenIn,
} from './factories.ts';

const NEW = 'Another#Horse2';
const { service, admin } = await startWithAdmin();

const reset = (token: string, password = NEW) =>
  service.call('POST', '/auth/reset-password', { body: { token, password } });
const countResetEvents = (email: string) =>
  service.countPublished(passwordResetRequested, (data) => data.email === email);
/** Requests are processed in order: once this one is, all earlier ones are. */
const untilProcessed = async () => void (await requestResetToken(service, await createMember(service, admin)));

describe('POST /auth/forgot-password', () => {
  it('publishes a sealed one-hour link for an existing account', async () => {
    const { user } = await createMember(service, admin);
    const { status, body } = await postForgotPassword(service, ` ${user.email.toUpperCase()} `);
    expect({ status, body }).toEqual({ status: 202, body: '' });
    const event = await service.published(passwordResetRequested, ({ userId }) => userId === user._id);
    expect(event).toMatchObject({ actorId: null, data: { email: user.email } });
    const minutes = (Date.parse(event.data.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(55);
    expect(minutes).toBeLessThanOrEqual(60.1);
    expect(await openSealed(event.data.sealedUrl)).toMatch(
      /^https:\/\/atrium\.example\.org\/reset-password\?token=[\w-]{43}$/,
    );
    expect(JSON.stringify(event)).not.toContain('token=');
    const stored = await service.query('select row_to_json(r)::text as row from password_resets r');
    expect(JSON.stringify(stored)).not.toContain(await openSealed(event.data.sealedUrl));
  });

  it('responds identically to all emails and sends only to active accounts', async () => {
    const invited = await invite(service, admin);
    const inactive = await createMember(service, admin);
    service.addToDirectory(buildDeactivatedUser(inactive.user._id));
    const stranger = buildEmail();
    for (const email of [stranger, invited.email, inactive.user.email]) {
      expect(await postForgotPassword(service, email)).toMatchObject({ status: 202, body: '' });
    }
    await untilProcessed();
    for (const email of [stranger, invited.email, inactive.user.email]) expect(countResetEvents(email)).toBe(0);
    expect(await service.query('select email from reset_requests')).toEqual([]);
  });

  it('responds before reading any account, so timing reveals nothing', async () => {
    const { user } = await createMember(service, admin);
    const client = new pg.Client({ connectionString: service.env.DATABASE_URL });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('lock table accounts in access exclusive mode');
      expect((await postForgotPassword(service, user.email)).status).toBe(202);
    } finally {
      await client.end();
    }
    await service.published(passwordResetRequested, ({ userId }) => userId === user._id);
  });

  it('sends at most three emails per hour and account', async () => {
    const { user } = await createMember(service, admin);
    const responses = await Promise.all(Array.from({ length: 8 }, () => postForgotPassword(service, user.email)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 202));
    await untilProcessed();
    expect(countResetEvents(user.email)).toBe(3);
    await service.query(`update password_resets set created_at = created_at - interval '1 hour'`);
    await postForgotPassword(service, user.email);
    await untilProcessed();
    expect(countResetEvents(user.email)).toBe(4);
  });

  it('processes a request promptly despite 50,000 ineligible requests in the queue', async () => {
    const [busy, member] = [await createMember(service, admin), await createMember(service, admin)];
    const ask = (email: string, count: number) =>
      service.query(
        `insert into reset_requests (email, request_id)
         select replace($1, '#', n::text), 'of a test' from generate_series(1, $2::int) n`,
        [email, count],
      );
    await ask('stranger#@example.org', 25_000);
    await ask(busy.user.email.toUpperCase(), 2_000);
    await ask('stranger#@example.net', 25_000);
    await postForgotPassword(service, member.user.email);
    await service.published(passwordResetRequested, ({ userId }) => userId === member.user._id);
    expect(await service.query('select from reset_requests')).toEqual([]);
    expect(countResetEvents(busy.user.email)).toBe(3);
  });

  it('reports an invalid email', async () => {
    expect((await postForgotPassword(service, 'nobody')).body).toMatchObject({
      message: ['Please enter a valid email address'],
    });
    const { status, body } = await service.call('POST', '/auth/forgot-password', { body: {} });
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: ['Email is required'], errors: [{ path: 'body.email' }] });
  });
});

describe('POST /auth/reset-password', () => {
  it('sets the password, ends every session, and opens a new one', async () => {
    const member = await createMember(service, admin);
    const other = (await signIn(service, member.user.email)).body as SignedIn;
    const token = await requestResetToken(service, member);
    const { status, body } = await reset(token);
    expect(status).toBe(200);
    const fresh = body as SignedIn;
    expect(fresh.user).toMatchObject({ _id: member.user._id, email: member.user.email, role: 'member' });
    const event = await service.published(passwordChanged, ({ userId }) => userId === member.user._id);
    expect(event).toMatchObject({ actorId: member.user._id, data: { by: 'reset' } });
    for (const before of [member, other]) {
      const revoked = await service.published(sessionRevoked, ({ sessionId }) => sessionId === sessionIdOf(before));
      expect(revoked.data.reason).toBe('password-changed');
      expect((await service.call('GET', '/auth/sessions', { headers: bearer(before) })).status).toBe(401);
      expect((await refresh(service, before.refreshToken)).status).toBe(401);
    }
    expect((await refresh(service, fresh.refreshToken)).status).toBe(200);
    expect((await signIn(service, member.user.email)).status).toBe(401);
    expect((await signIn(service, member.user.email, { password: NEW })).status).toBe(200);
  });

  it('accepts a reset token once, and rejects the second of two concurrent attempts as invalid', async () => {
    const member = await createMember(service, admin);
    const token = await requestResetToken(service, member);
    const responses = await Promise.all([reset(token, NEW), reset(token, 'Third#Horse3')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    const refused = responses.find(({ status }) => status === 400);
    expect(refused?.body).toMatchObject({ message: 'Invalid reset token', code: 'invalid_token' });
    expect((await reset(token, 'Fourth#Horse4')).body).toMatchObject({ code: 'invalid_token' });
    const winner = responses[0]?.status === 200 ? NEW : 'Third#Horse3';
    expect((await signIn(service, member.user.email, { password: winner })).status).toBe(200);
    await service.published(passwordChanged, ({ userId }) => userId === member.user._id);
    expect(service.countPublished(passwordChanged, ({ userId }) => userId === member.user._id)).toBe(1);
  });

  it('signs in a retry with the same password', async () => {
    const member = await createMember(service, admin);
    const token = await requestResetToken(service, member);
    const first = (await reset(token)).body as SignedIn;
    const { status, body } = await reset(token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { _id: member.user._id } });
    // It is a sign-in, which ends no session and changes no password.
    for (const { refreshToken } of [first, body as SignedIn])
      expect((await refresh(service, refreshToken)).status).toBe(200);
    await service.published(passwordChanged, ({ userId }) => userId === member.user._id);
    expect(service.countPublished(passwordChanged, ({ userId }) => userId === member.user._id)).toBe(1);
    expect(await reset(token, 'Third#Horse3')).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
    expect((await reset(token, PASSWORD)).status).toBe(400);
    service.addToDirectory(buildDeactivatedUser(member.user._id));
    expect((await reset(token)).body).toMatchObject({ code: 'invalid_token' });
  });

  it('invalidates the other reset links of the user', async () => {
    const member = await createMember(service, admin);
    const path = `/users/${member.user._id}/reset-link`;
    const { body } = await service.call('POST', path, { headers: bearer(admin) });
    const other = tokenIn((body as { resetUrl: string }).resetUrl);
    expect((await reset(await requestResetToken(service, member))).status).toBe(200);
    expect((await reset(other, 'Third#Horse3')).body).toMatchObject({ code: 'invalid_token' });
  });

  it('distinguishes unknown from expired tokens', async () => {
    expect((await reset('x'.repeat(43))).body).toMatchObject({ message: 'Invalid reset token', code: 'invalid_token' });
    const token = await requestResetToken(service, await createMember(service, admin));
    await service.query('update password_resets set expires_at = now() where token_hash = $1', [hashToken(token)]);
    const expired = await reset(token);
    expect(expired.status).toBe(400);
    expect(expired.body).toMatchObject({ message: 'This reset link has expired', code: 'token_expired' });
  });

  it('rejects a reset token of a user who has been deactivated', async () => {
    const member = await createMember(service, admin);
    const token = await requestResetToken(service, member);
    service.addToDirectory(buildDeactivatedUser(member.user._id));
    expect((await reset(token)).body).toMatchObject({ code: 'invalid_token' });
  });

  it('clears the sign-in limit of the account', async () => {
    const { user } = await createMember(service, admin);
    const from = '192.0.2.81';
    for (let count = 0; count < 11; count += 1) await signIn(service, user.email, { password: 'Wrong#Horse1', from });
    const token = await requestResetToken(service, { user } as SignedIn);
    await service.call('POST', '/auth/reset-password', {
      body: { token, password: NEW },
      headers: { 'x-forwarded-for': from },
    });
    expect((await signIn(service, user.email, { password: NEW, from })).status).toBe(200);
  });

  it('validates the new password', async () => {
    const token = await requestResetToken(service, await createMember(service, admin));
    const weak = await reset(token, 'short');
    expect(weak.status).toBe(400);
    expect((weak.body as { message: string[] }).message).toEqual([
      'Password must be at least 8 characters long',
      'Password must contain at least one uppercase letter',
      'Password must contain at least one number',
      'Password must contain at least one special character (@$!%*?&#)',
    ]);
    const none = await service.call('POST', '/auth/reset-password', { body: { password: PASSWORD } });
    expect(none.body).toMatchObject({ message: ['Invalid reset token'] });
    expect((await reset(token)).status).toBe(200);
  });
});
