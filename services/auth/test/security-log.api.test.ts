import { authAudit } from '@atrium/proto-events/events/audit';
import { expect, it } from '@jest/globals';
import { bearer, createMember, getSessionId, refresh, type SignedIn, signIn, startWithAdmin } from './factories.ts';

const { service, admin } = await startWithAdmin();

it('records every sign-in in the security log with account and address', async () => {
  const { user } = await createMember(service, admin);
  const session = (await signIn(service, user.email, { from: '192.0.2.40' })).body as SignedIn;
  const { data } = await service.waitForEvent(authAudit, ({ sessionId }) => sessionId === getSessionId(session));
  expect(data).toEqual({
    action: 'sign-in.succeeded',
    outcome: 'allowed',
    userId: user._id,
    email: user.email,
    address: '192.0.2.40',
    sessionId: getSessionId(session),
  });
});

it('records sign-ins through an invitation in the security log', async () => {
  const member = await createMember(service, admin);
  await service.waitForEvent(authAudit, ({ sessionId }) => sessionId === getSessionId(member));
});

it('records every failed sign-in, with or without an account, and never the password', async () => {
  const { user } = await createMember(service, admin);
  for (const [email, userId] of [
    [user.email, user._id],
    ['nobody-audited@example.org', null],
  ] as const) {
    await signIn(service, email, { password: 'Wrong#Horse1', from: '192.0.2.41' });
    const event = await service.waitForEvent(
      authAudit,
      (data) => data.action === 'sign-in.failed' && data.email === email,
    );
    expect(event.data).toMatchObject({ outcome: 'failed', userId, address: '192.0.2.41' });
    expect(JSON.stringify(event)).not.toContain('Wrong#Horse1');
  }
});

it('records every address and every account involved in password guessing', async () => {
  const { user } = await createMember(service, admin);
  const sprayedEmails = ['ceo', 'cfo', 'it'].map((name) => `${name}-sprayed@example.org`);
  const guesses = [
    ...['192.0.2.50', '192.0.2.51', '192.0.2.52'].map((from) => ({ email: user.email, from })),
    ...sprayedEmails.map((email) => ({ email, from: '192.0.2.53' })),
  ];
  for (const { email, from } of guesses) {
    await signIn(service, email, { password: 'Wrong#Horse1', from });
    await service.waitForEvent(
      authAudit,
      (data) => data.action === 'sign-in.failed' && data.email === email && data.address === from,
    );
  }
});

it('records the reuse of a refresh token', async () => {
  const session = await createMember(service, admin);
  const refreshedSession = (await refresh(service, session.refreshToken)).body as SignedIn;
  await refresh(service, refreshedSession.refreshToken);
  await refresh(service, session.refreshToken);
  const { data } = await service.waitForEvent(authAudit, ({ action }) => action === 'session.reused');
  expect(data).toMatchObject({ outcome: 'denied', userId: session.user._id, sessionId: getSessionId(session) });
});

it('records a wrong current password during a password change', async () => {
  const member = await createMember(service, admin);
  const body = { currentPassword: 'Wrong#Horse1', newPassword: 'Another#Horse2' };
  await service.call('POST', '/auth/change-password', { headers: bearer(member), body });
  const { data } = await service.waitForEvent(authAudit, ({ action }) => action === 'password.wrong');
  expect(data).toMatchObject({ outcome: 'failed', userId: member.user._id, sessionId: getSessionId(member) });
});

it('limits and records failed sign-ins with an email of maximum length', async () => {
  // 64 octets before the at sign and 254 in total are the maximum of RFC 5321.
  const email = `${'😀'.repeat(16)}@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(59)}.example`;
  for (let n = 0; n < 10; n++)
    expect((await signIn(service, email, { password: 'Wrong#Horse1', from: '192.0.2.49' })).status).toBe(401);
  expect((await signIn(service, email, { password: 'Wrong#Horse1', from: '192.0.2.49' })).status).toBe(429);
  const { data } = await service.waitForEvent(authAudit, (entry) => entry.email?.startsWith('😀') === true);
  expect(data).toMatchObject({ action: 'sign-in.failed', email });
});
