import { passwordChanged, passwordResetRequested, sessionRevoked } from '@atrium/proto-events/events/auth';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { hashToken } from '../src/secrets/crypto.ts';
import {
  bearer,
  buildDeactivatedUser,
  buildEmail,
  createMember,
  decryptLink,
  getSessionId,
  invite,
  PASSWORD,
  parseToken,
  postForgotPassword,
  refresh,
  requestResetToken,
  type SignedIn,
  signIn,
  startWithAdmin,
} from './factories.ts';

const NEW_PASSWORD = 'Another#Horse2';
const { service, admin } = await startWithAdmin();

const resetPassword = (token: string, password = NEW_PASSWORD) =>
  service.call('POST', '/auth/reset-password', { body: { token, password } });
const countResetEvents = (email: string) =>
  service.countPublished(passwordResetRequested, (data) => data.email === email);
/** Requests are processed in order, so once this request is processed, all earlier requests are. */
const waitUntilProcessed = async () => void (await requestResetToken(service, await createMember(service, admin)));

describe('POST /auth/forgot-password', () => {
  it('publishes a sealed one-hour link for an existing account', async () => {
    const { user } = await createMember(service, admin);
    const { status, body } = await postForgotPassword(service, ` ${user.email.toUpperCase()} `);
    expect({ status, body }).toEqual({ status: 202, body: '' });
    const event = await service.waitForEvent(passwordResetRequested, ({ userId }) => userId === user._id);
    expect(event).toMatchObject({ actorId: null, data: { email: user.email } });
    const minutes = (Date.parse(event.data.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(55);
    expect(minutes).toBeLessThanOrEqual(60.1);
    expect(await decryptLink(event.data.sealedUrl)).toMatch(
      /^https:\/\/atrium\.example\.org\/reset-password\?token=[\w-]{43}$/,
    );
    expect(JSON.stringify(event)).not.toContain('token=');
    const stored = await service.query('select row_to_json(r)::text as row from password_resets r');
    expect(JSON.stringify(stored)).not.toContain(await decryptLink(event.data.sealedUrl));
  });

  it('responds identically to all emails and sends only to active accounts', async () => {
    const invited = await invite(service, admin);
    const inactive = await createMember(service, admin);
    service.addToDirectory(buildDeactivatedUser(inactive.user._id));
    const stranger = buildEmail();
    for (const email of [stranger, invited.email, inactive.user.email]) {
      expect(await postForgotPassword(service, email)).toMatchObject({ status: 202, body: '' });
    }
    await waitUntilProcessed();
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
    await service.waitForEvent(passwordResetRequested, ({ userId }) => userId === user._id);
  });

  it('sends at most three emails per hour per account', async () => {
    const { user } = await createMember(service, admin);
    const responses = await Promise.all(Array.from({ length: 8 }, () => postForgotPassword(service, user.email)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 202));
    await waitUntilProcessed();
    expect(countResetEvents(user.email)).toBe(3);
    await service.query(`update password_resets set created_at = created_at - interval '1 hour'`);
    await postForgotPassword(service, user.email);
    await waitUntilProcessed();
    expect(countResetEvents(user.email)).toBe(4);
  });

  it('processes a request promptly despite 50,000 ineligible requests in the queue', async () => {
    const busyMember = await createMember(service, admin);
    const member = await createMember(service, admin);
    const insertRequests = (email: string, count: number) =>
      service.query(
        `insert into reset_requests (email, request_id)
         select replace($1, '#', n::text), 'of a test' from generate_series(1, $2::int) n`,
        [email, count],
      );
    await insertRequests('stranger#@example.org', 25_000);
    await insertRequests(busyMember.user.email.toUpperCase(), 2_000);
    await insertRequests('stranger#@example.net', 25_000);
    await postForgotPassword(service, member.user.email);
    await service.waitForEvent(passwordResetRequested, ({ userId }) => userId === member.user._id);
    expect(await service.query('select from reset_requests')).toEqual([]);
    expect(countResetEvents(busyMember.user.email)).toBe(3);
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
    const otherSession = (await signIn(service, member.user.email)).body as SignedIn;
    const token = await requestResetToken(service, member);
    const { status, body } = await resetPassword(token);
    expect(status).toBe(200);
    const newSession = body as SignedIn;
    expect(newSession.user).toMatchObject({ _id: member.user._id, email: member.user.email, role: 'member' });
    const event = await service.waitForEvent(passwordChanged, ({ userId }) => userId === member.user._id);
    expect(event).toMatchObject({ actorId: member.user._id, data: { by: 'reset' } });
    for (const endedSession of [member, otherSession]) {
      const revoked = await service.waitForEvent(
        sessionRevoked,
        ({ sessionId }) => sessionId === getSessionId(endedSession),
      );
      expect(revoked.data.reason).toBe('password-changed');
      // Otherwise the push about the password would not reach the browsers of these sessions.
      expect(event.occurredAt <= revoked.occurredAt).toBe(true);
      expect((await service.call('GET', '/auth/sessions', { headers: bearer(endedSession) })).status).toBe(401);
      expect((await refresh(service, endedSession.refreshToken)).status).toBe(401);
    }
    expect((await refresh(service, newSession.refreshToken)).status).toBe(200);
    expect((await signIn(service, member.user.email)).status).toBe(401);
    expect((await signIn(service, member.user.email, { password: NEW_PASSWORD })).status).toBe(200);
  });

  it('accepts a reset token once, and rejects the second of two concurrent attempts as invalid', async () => {
    const member = await createMember(service, admin);
    const token = await requestResetToken(service, member);
    const responses = await Promise.all([resetPassword(token, NEW_PASSWORD), resetPassword(token, 'Third#Horse3')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    const rejectedResponse = responses.find(({ status }) => status === 400);
    expect(rejectedResponse?.body).toMatchObject({ message: 'Invalid reset token', code: 'invalid_token' });
    expect((await resetPassword(token, 'Fourth#Horse4')).body).toMatchObject({ code: 'invalid_token' });
    const acceptedPassword = responses[0]?.status === 200 ? NEW_PASSWORD : 'Third#Horse3';
    expect((await signIn(service, member.user.email, { password: acceptedPassword })).status).toBe(200);
    await service.waitForEvent(passwordChanged, ({ userId }) => userId === member.user._id);
    expect(service.countPublished(passwordChanged, ({ userId }) => userId === member.user._id)).toBe(1);
  });

  it('signs in a retry with the same password', async () => {
    const member = await createMember(service, admin);
    const token = await requestResetToken(service, member);
    const firstSession = (await resetPassword(token)).body as SignedIn;
    const { status, body } = await resetPassword(token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { _id: member.user._id } });
    // The retry only signs in: it ends no session and changes no password.
    for (const { refreshToken } of [firstSession, body as SignedIn])
      expect((await refresh(service, refreshToken)).status).toBe(200);
    await service.waitForEvent(passwordChanged, ({ userId }) => userId === member.user._id);
    expect(service.countPublished(passwordChanged, ({ userId }) => userId === member.user._id)).toBe(1);
    expect(await resetPassword(token, 'Third#Horse3')).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
    expect((await resetPassword(token, PASSWORD)).status).toBe(400);
    service.addToDirectory(buildDeactivatedUser(member.user._id));
    expect((await resetPassword(token)).body).toMatchObject({ code: 'invalid_token' });
  });

  it('invalidates the other reset links of the user', async () => {
    const member = await createMember(service, admin);
    const path = `/users/${member.user._id}/reset-link`;
    const { body } = await service.call('POST', path, { headers: bearer(admin) });
    const otherToken = parseToken((body as { resetUrl: string }).resetUrl);
    expect((await resetPassword(await requestResetToken(service, member))).status).toBe(200);
    expect((await resetPassword(otherToken, 'Third#Horse3')).body).toMatchObject({ code: 'invalid_token' });
  });

  it('distinguishes unknown from expired tokens', async () => {
    expect((await resetPassword('x'.repeat(43))).body).toMatchObject({
      message: 'Invalid reset token',
      code: 'invalid_token',
    });
    const token = await requestResetToken(service, await createMember(service, admin));
    await service.query('update password_resets set expires_at = now() where token_hash = $1', [hashToken(token)]);
    const expiredResponse = await resetPassword(token);
    expect(expiredResponse.status).toBe(400);
    expect(expiredResponse.body).toMatchObject({ message: 'This reset link has expired', code: 'token_expired' });
  });

  it('rejects a reset token of a user who has been deactivated', async () => {
    const member = await createMember(service, admin);
    const token = await requestResetToken(service, member);
    service.addToDirectory(buildDeactivatedUser(member.user._id));
    expect((await resetPassword(token)).body).toMatchObject({ code: 'invalid_token' });
  });

  it('clears the sign-in limit of the account', async () => {
    const { user } = await createMember(service, admin);
    const from = '192.0.2.81';
    for (let count = 0; count < 11; count += 1) await signIn(service, user.email, { password: 'Wrong#Horse1', from });
    const token = await requestResetToken(service, { user } as SignedIn);
    await service.call('POST', '/auth/reset-password', {
      body: { token, password: NEW_PASSWORD },
      headers: { 'x-forwarded-for': from },
    });
    expect((await signIn(service, user.email, { password: NEW_PASSWORD, from })).status).toBe(200);
  });

  it('validates the new password', async () => {
    const token = await requestResetToken(service, await createMember(service, admin));
    const weakPasswordResponse = await resetPassword(token, 'short');
    expect(weakPasswordResponse.status).toBe(400);
    expect((weakPasswordResponse.body as { message: string[] }).message).toEqual([
      'Password must be at least 8 characters long',
      'Password must contain at least one uppercase letter',
      'Password must contain at least one number',
      'Password must contain at least one special character (@$!%*?&#)',
    ]);
    const missingTokenResponse = await service.call('POST', '/auth/reset-password', { body: { password: PASSWORD } });
    expect(missingTokenResponse.body).toMatchObject({ message: ['Invalid reset token'] });
    expect((await resetPassword(token)).status).toBe(200);
  });
});
