import {
  accountSecured,
  passwordChanged,
  passwordResetCreated,
  passwordResetRequested,
  sessionRevoked,
} from '@atrium/proto-events/events/auth';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import {
  bearer,
  buildDeactivatedUser,
  createMember,
  getSessionId,
  invite,
  PASSWORD,
  parseToken,
  refresh,
  requestResetToken,
  type SignedIn,
  signIn,
  startWithAdmin,
} from './factories.ts';

const NEW_PASSWORD = 'Another#Horse2';
const { service, admin } = await startWithAdmin();

type Change = { currentPassword?: string; newPassword?: string };
const changePassword = (by: SignedIn, overrides: Change = {}, from = '127.0.0.1') =>
  service.call('POST', '/auth/change-password', {
    headers: { ...bearer(by), 'x-forwarded-for': from },
    body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, ...overrides },
  });
const signInAgain = async ({ user }: SignedIn, password = PASSWORD) =>
  (await signIn(service, user.email, { password })).body as SignedIn;
const isSignedIn = async (session: SignedIn) =>
  (await service.call('GET', '/auth/sessions', { headers: bearer(session) })).status === 200;
const resetPassword = (token: string, password: string) =>
  service.call('POST', '/auth/reset-password', { body: { token, password } });

describe('POST /auth/change-password', () => {
  it('issues new tokens for the current session and ends every other session', async () => {
    const member = await createMember(service, admin);
    const other = await signInAgain(member);
    const { status, body } = await changePassword(member);
    expect(status).toBe(200);
    expect(Object.keys(body as object).sort()).toEqual(['accessToken', 'refreshToken']);
    const renewedSession = { ...member, ...(body as Pick<SignedIn, 'accessToken' | 'refreshToken'>) };
    // The session gets a new id, so that earlier access tokens are revoked.
    expect(getSessionId(renewedSession)).not.toBe(getSessionId(member));
    expect(await isSignedIn(member)).toBe(false);
    const revokedOwn = await service.waitForEvent(
      sessionRevoked,
      ({ sessionId }) => sessionId === getSessionId(member),
    );
    expect(revokedOwn.data.reason).toBe('password-changed');
    const secured = await service.waitForEvent(accountSecured, ({ userId }) => userId === member.user._id);
    expect(secured.data.reason).toBe('password-changed');
    const event = await service.waitForEvent(passwordChanged, ({ userId }) => userId === member.user._id);
    expect(event).toMatchObject({ actorId: member.user._id, data: { by: 'change' } });
    const revoked = await service.waitForEvent(sessionRevoked, ({ sessionId }) => sessionId === getSessionId(other));
    expect(revoked.data.reason).toBe('password-changed');
    // Otherwise the push about the password would not reach the browsers of these sessions.
    for (const { occurredAt } of [secured, revokedOwn, revoked]) expect(event.occurredAt <= occurredAt).toBe(true);
    expect(await isSignedIn(other)).toBe(false);
    expect(await isSignedIn(renewedSession)).toBe(true);
    expect((await refresh(service, other.refreshToken)).status).toBe(401);
    expect((await refresh(service, member.refreshToken)).status).toBe(401);
    expect((await refresh(service, renewedSession.refreshToken)).status).toBe(200);
    expect((await signIn(service, member.user.email)).status).toBe(401);
    expect((await signIn(service, member.user.email, { password: NEW_PASSWORD })).status).toBe(200);
  });

  it('reports a wrong current password at its field', async () => {
    const member = await createMember(service, admin);
    const { status, body } = await changePassword(member, { currentPassword: 'Wrong#Horse1' });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'validation_failed',
      message: ['Current password is incorrect'],
      errors: [{ path: 'body.currentPassword', message: 'Current password is incorrect' }],
    });
    expect((await signIn(service, member.user.email)).status).toBe(200);
  });

  it('limits guesses per session as at sign-in, without affecting other sessions', async () => {
    const member = await createMember(service, admin);
    const other = await signInAgain(member);
    const guess = (_: unknown, n: number) =>
      changePassword(member, { currentPassword: 'Wrong#Horse1' }, `192.0.2.${n}`);
    const responses = await Promise.all(Array.from({ length: 15 }, guess));
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(10);
    const rejectedResponse = responses.find(({ status }) => status === 429);
    expect(rejectedResponse?.body).toMatchObject({ code: 'rate_limited' });
    expect(Number(rejectedResponse?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await changePassword(member)).status).toBe(429);
    expect((await changePassword(other)).status).toBe(200);
  });

  it('validates the new password', async () => {
    const member = await createMember(service, admin);
    const weakPasswordResponse = await changePassword(member, { newPassword: 'alllowercase' });
    expect(weakPasswordResponse.status).toBe(400);
    expect((weakPasswordResponse.body as { message: string[] }).message).toEqual([
      'Password must contain at least one uppercase letter',
      'Password must contain at least one number',
      'Password must contain at least one special character (@$!%*?&#)',
    ]);
    const emptyBodyResponse = await service.call('POST', '/auth/change-password', {
      headers: bearer(member),
      body: {},
    });
    expect(emptyBodyResponse.body).toMatchObject({ message: ['Current password is required', 'Password is required'] });
    expect((await service.call('POST', '/auth/change-password', { body: {} })).status).toBe(401);
  });

  it('invalidates reset links requested earlier', async () => {
    const member = await createMember(service, admin);
    const token = await requestResetToken(service, member);
    await changePassword(member);
    expect((await resetPassword(token, 'Third#Horse3')).body).toMatchObject({ code: 'invalid_token' });
  });

  it('rejects concurrent sign-ins with the old password and revokes old tokens', async () => {
    for (let round = 0; round < 5; round += 1) {
      const member = await createMember(service, admin);
      const [signInResponse, refreshResponse, changeResponse] = await Promise.all([
        signIn(service, member.user.email),
        refresh(service, member.refreshToken),
        changePassword(member),
      ]);
      expect(changeResponse.status).toBe(200);
      expect([200, 401]).toContain(signInResponse.status);
      expect([200, 401]).toContain(refreshResponse.status);
      for (const { status, body } of [signInResponse, refreshResponse]) {
        if (status === 200) expect((await refresh(service, (body as SignedIn).refreshToken)).status).toBe(401);
      }
      expect((await refresh(service, (changeResponse.body as SignedIn).refreshToken)).status).toBe(200);
    }
  });

  it('accepts one of two concurrent changes', async () => {
    const member = await createMember(service, admin);
    const responses = await Promise.all([
      changePassword(member),
      changePassword(member, { newPassword: 'Third#Horse3' }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('POST /users/{id}/reset-link', () => {
  const createLink = (id: string, by = admin) =>
    service.call('POST', `/users/${id}/reset-link`, { headers: bearer(by) });

  it('returns a one-hour link to an administrator and sends no email', async () => {
    const member = await createMember(service, admin);
    const { status, body } = await createLink(member.user._id);
    expect(status).toBe(200);
    const { resetUrl, expiresAt } = body as { resetUrl: string; expiresAt: string };
    expect(resetUrl).toMatch(/^https:\/\/atrium\.example\.org\/reset-password\?token=[\w-]{43}$/);
    expect((Date.parse(expiresAt) - Date.now()) / 60_000).toBeGreaterThan(55);
    const response = await resetPassword(parseToken(resetUrl), NEW_PASSWORD);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ user: { _id: member.user._id } });
    expect(await isSignedIn(member)).toBe(false);
    expect(service.countPublished(passwordResetRequested, ({ userId }) => userId === member.user._id)).toBe(0);
  });

  it('publishes creator and user of the link, but not the link', async () => {
    const member = await createMember(service, admin);
    const { resetUrl, expiresAt } = (await createLink(member.user._id)).body as { resetUrl: string; expiresAt: string };
    const event = await service.waitForEvent(passwordResetCreated, ({ userId }) => userId === member.user._id);
    expect(event.actorId).toBe(admin.user._id);
    expect(event.data).toEqual({
      resetId: expect.stringMatching(/^[0-9a-f]{24}$/),
      userId: member.user._id,
      madeBy: admin.user._id,
      expiresAt,
    });
    expect(JSON.stringify(event)).not.toContain(parseToken(resetUrl));
    expect(service.countPublished(passwordResetCreated, ({ userId }) => userId === member.user._id)).toBe(1);
  });

  it('rejects a reset link for the caller', async () => {
    expect(await createLink(admin.user._id)).toMatchObject({
      status: 409,
      body: { message: 'Change your own password in Account Settings.', code: 'conflict' },
    });
    expect(service.countPublished(passwordResetCreated, ({ userId }) => userId === admin.user._id)).toBe(0);
  });

  it('does not count toward the hourly email limit', async () => {
    const member = await createMember(service, admin);
    for (let count = 0; count < 4; count += 1) expect((await createLink(member.user._id)).status).toBe(200);
    await requestResetToken(service, member);
  });

  it('rejects callers who are not administrators, and users who cannot sign in', async () => {
    const member = await createMember(service, admin);
    const manager = await createMember(service, admin, 'project_manager');
    expect(await createLink(member.user._id, manager)).toMatchObject({
      status: 403,
      body: { message: 'Only administrators can make reset links' },
    });
    expect((await service.call('POST', `/users/${member.user._id}/reset-link`)).status).toBe(401);
    for (const unknownId of [newId(), 'nonsense']) expect((await createLink(unknownId)).status).toBe(404);
    const invited = await invite(service, admin);
    expect(await createLink(invited.userId)).toMatchObject({
      status: 409,
      body: { message: 'This person has not accepted their invitation yet' },
    });
    service.addToDirectory(buildDeactivatedUser(member.user._id));
    expect(await createLink(member.user._id)).toMatchObject({
      status: 409,
      body: { message: 'This person is inactive' },
    });
  });
});
