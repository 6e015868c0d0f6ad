import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { sessionsEnded } from '@atrium/proto-events/events/users';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { applyRetention } from '@atrium/service-kit/postgres/housekeeping';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { retentionRules } from '../src/retention.ts';
import { hashToken } from '../src/secrets/crypto.ts';
import {
  bearer,
  buildDeactivatedUser,
  createMember,
  getSessionId,
  invite,
  PASSWORD,
  register,
  requestResetToken,
  type SignedIn,
  signIn,
  startAuth,
  startProcess,
  startWithAdmin,
  refresh as useToken,
} from './factories.ts';

const { service, admin } = await startWithAdmin();

const refresh = (refreshToken: string) => useToken(service, refreshToken);
const logout = (by: SignedIn) => service.call('POST', '/auth/logout', { headers: bearer(by) });
const signInAgain = async ({ user }: SignedIn) => (await signIn(service, user.email)).body as SignedIn;
const backdateSession = (session: SignedIn, days: number) =>
  service.query('update sessions set created_at = created_at - make_interval(days => $2::int) where id = $1', [
    getSessionId(session),
    days,
  ]);
async function readExpiry(session: SignedIn, target = service): Promise<Date> {
  const [row] = await target.query('select expires_at as at from sessions where id = $1', [getSessionId(session)]);
  return row?.at as Date;
}
const DAY_MS = 86_400_000;

it('issues tokens valid for 15 minutes even if the clock of the signing pod is behind', async () => {
  const { now } = Date;
  Date.now = () => now() - 1_200_000;
  let session: SignedIn;
  let renewed: SignedIn;
  try {
    session = await signInAgain(admin);
    renewed = (await refresh(session.refreshToken)).body as SignedIn;
  } finally {
    Date.now = now;
  }
  for (const { accessToken } of [session, renewed]) {
    const { iat = 0, exp = 0 } = decodeJwt(accessToken);
    expect(Math.abs(iat * 1_000 - now())).toBeLessThan(60_000);
    expect(exp - Math.floor(iat)).toBe(900);
  }
  expect((await logout({ ...session, ...renewed })).status).toBe(204);
});

describe('POST /auth/refresh', () => {
  it('returns a new token pair for the same session', async () => {
    const firstSession = await signInAgain(admin);
    const { status, body } = await refresh(firstSession.refreshToken);
    expect(status).toBe(200);
    const secondSession = body as SignedIn;
    expect(secondSession.refreshToken).not.toBe(firstSession.refreshToken);
    expect(getSessionId(secondSession)).toBe(getSessionId(firstSession));
    expect((await refresh(secondSession.refreshToken)).status).toBe(200);
    expect(Object.keys(secondSession).sort()).toEqual(['accessToken', 'refreshToken']);
  });

  it('returns the same successor to two concurrent refreshes', async () => {
    const { refreshToken } = await signInAgain(admin);
    const responses = await Promise.all(Array.from({ length: 5 }, () => refresh(refreshToken)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const successors = new Set(responses.map(({ body }) => (body as SignedIn).refreshToken));
    expect(successors.size).toBe(1);
    expect((await refresh([...successors][0] ?? '')).status).toBe(200);
  });

  it('returns the same successor for a retry until the successor is used', async () => {
    const firstSession = await signInAgain(admin);
    const lostSession = (await refresh(firstSession.refreshToken)).body as SignedIn;
    const retryResponse = await refresh(firstSession.refreshToken);
    expect(retryResponse.status).toBe(200);
    expect((retryResponse.body as SignedIn).refreshToken).toBe(lostSession.refreshToken);
    const latestSession = (await refresh(lostSession.refreshToken)).body as SignedIn;
    expect((await refresh(firstSession.refreshToken)).status).toBe(401);
    expect((await refresh(latestSession.refreshToken)).status).toBe(401);
  });

  it('ends the session when a rotated token is reused after its successor', async () => {
    const firstSession = await signInAgain(admin);
    const secondSession = (await refresh(firstSession.refreshToken)).body as SignedIn;
    const thirdSession = (await refresh(secondSession.refreshToken)).body as SignedIn;
    expect((await refresh(firstSession.refreshToken)).status).toBe(401);
    // The session ends immediately, without waiting for the event.
    expect((await logout({ ...admin, accessToken: thirdSession.accessToken })).status).toBe(401);
    expect((await refresh(thirdSession.refreshToken)).status).toBe(401);
    const event = await service.waitForEvent(
      sessionRevoked,
      ({ sessionId }) => sessionId === getSessionId(firstSession),
    );
    expect(event.data).toMatchObject({ userId: admin.user._id, reason: 'refresh-token-reused' });
  });

  it('stores one row per session and no usable token', async () => {
    const firstSession = await signInAgain(admin);
    const secondSession = (await refresh(firstSession.refreshToken)).body as SignedIn;
    const thirdSession = (await refresh(secondSession.refreshToken)).body as SignedIn;
    const storedRows = await service.query('select row_to_json(s)::text as session from sessions s where s.id = $1', [
      getSessionId(firstSession),
    ]);
    expect(storedRows).toHaveLength(1);
    const text = JSON.stringify(storedRows);
    expect(text).toContain(hashToken(thirdSession.refreshToken).toString('hex'));
    for (const { refreshToken } of [firstSession, secondSession, thirdSession]) {
      expect(text).not.toContain(refreshToken);
      expect(text).not.toContain(refreshToken.split('.')[2]);
    }
  });

  it('rejects forged tokens without ending any session', async () => {
    const session = await signInAgain(admin);
    const { refreshToken } = session;
    const [id, , code] = refreshToken.split('.');
    const latestSession = (await refresh(refreshToken)).body as SignedIn;
    const otherToken = (await signInAgain(admin)).refreshToken;
    const forgedTokens = [
      `${id}.0.${'A'.repeat(43)}`,
      `${id}.1.${code}`,
      `${id}.2.${code}`,
      `${id}.00.${code}`,
      `${id}.-1.${code}`,
      `${id}.99999999999.${code}`,
      `${id}.0.${otherToken.split('.')[2]}`,
      `no-such-session.0.${code}`,
      `${refreshToken}.`,
      'x'.repeat(43),
    ];
    for (const token of forgedTokens) expect([token, (await refresh(token)).status]).toEqual([token, 401]);
    expect((await refresh(latestSession.refreshToken)).status).toBe(200);
  });

  it('rejects expired tokens with 401 and a missing token with 400', async () => {
    const session = await signInAgain(admin);
    await service.query('update sessions set expires_at = now() where id = $1', [getSessionId(session)]);
    expect((await refresh(session.refreshToken)).status).toBe(401);
    const { status, body } = await service.call('POST', '/auth/refresh', { body: {} });
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: ['No refresh token available'] });
  });

  it('rejects inactive users and sessions older than the cutoff in the directory', async () => {
    const inactiveUser = await createMember(service, admin);
    service.addToDirectory(buildDeactivatedUser(inactiveUser.user._id));
    expect((await refresh(inactiveUser.refreshToken)).status).toBe(401);
    const userWithEndedSessions = await createMember(service, admin);
    service.addToDirectory(
      buildUser({ _id: userWithEndedSessions.user._id, sessionsValidAfter: Date.now() + 1, version: 3 }),
    );
    expect((await refresh(userWithEndedSessions.refreshToken)).status).toBe(401);
  });

  it('keeps the token usable while its user is unknown to the directory', async () => {
    const openService = await startAuth({ REGISTRATION: 'open' });
    try {
      const body = { email: 'unknown@example.org', password: PASSWORD, firstName: 'A', lastName: 'B' };
      const { refreshToken } = (await openService.call('POST', '/auth/register', { body })).body as SignedIn;
      expect((await openService.call('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(503);
      expect(await openService.query('select token_number from sessions')).toEqual([{ token_number: 0 }]);
    } finally {
      await openService.close();
    }
  });

  it('takes the role from the directory', async () => {
    const member = await createMember(service, admin);
    service.addToDirectory(buildUser({ _id: member.user._id, role: 'project_manager', version: 3 }));
    const { body } = await refresh(member.refreshToken);
    expect(decodeJwt((body as SignedIn).accessToken).role).toBe('project_manager');
  });
});

describe('a session', () => {
  it('expires thirty days after its last use', async () => {
    const session = await signInAgain(admin);
    await refresh(session.refreshToken);
    expect(Math.round(((await readExpiry(session)).getTime() - Date.now()) / DAY_MS)).toBe(30);
  });

  it('expires half a year after it started, regardless of use', async () => {
    const session = await signInAgain(admin);
    await backdateSession(session, 175);
    const renewed = await refresh(session.refreshToken);
    expect(renewed.status).toBe(200);
    expect(Math.round(((await readExpiry(session)).getTime() - Date.now()) / DAY_MS)).toBe(5);
    // Simulates an expiry beyond the maximum lifetime.
    await backdateSession(session, 6);
    expect((await refresh((renewed.body as SignedIn).refreshToken)).status).toBe(401);
  });

  it('uses the configured lifetime', async () => {
    const strictService = await startAuth({ SESSION_IDLE_DAYS: '2', SESSION_MAX_DAYS: '1' });
    try {
      const session = await register(strictService);
      expect(Math.round(((await readExpiry(session, strictService)).getTime() - Date.now()) / DAY_MS)).toBe(1);
    } finally {
      await strictService.close();
    }
  });
});

describe('POST /auth/sign-out-everywhere', () => {
  it('ends all sessions of the caller, including the current one, and no others', async () => {
    const member = await createMember(service, admin);
    const callerSession = await signInAgain(member);
    const otherSession = await signInAgain(member);
    const signOutEverywhere = () =>
      service.call('POST', '/auth/sign-out-everywhere', { headers: bearer(callerSession) });
    expect((await signOutEverywhere()).status).toBe(204);
    expect((await signOutEverywhere()).status).toBe(401);
    for (const { refreshToken } of [member, callerSession, otherSession])
      expect((await refresh(refreshToken)).status).toBe(401);
    const event = await service.waitForEvent(
      sessionRevoked,
      ({ sessionId }) => sessionId === getSessionId(otherSession),
    );
    expect(event).toMatchObject({ actorId: member.user._id, data: { reason: 'signed-out-everywhere' } });
    expect((await refresh(admin.refreshToken)).status).toBe(200);
    expect((await signIn(service, member.user.email)).status).toBe(200);
  });

  it('rejects anonymous callers', async () => {
    expect((await service.call('POST', '/auth/sign-out-everywhere')).status).toBe(401);
  });
});

describe('DELETE /users/{id}/sessions', () => {
  const endSessions = (id: string, by: SignedIn) =>
    service.call('DELETE', `/users/${id}/sessions`, { headers: bearer(by) });

  it('ends all sessions of a user for an administrator, and publishes who did it', async () => {
    const adminSession = await signInAgain(admin);
    const member = await createMember(service, admin);
    const otherSession = await signInAgain(member);
    expect((await endSessions(member.user._id, adminSession)).status).toBe(204);
    for (const { refreshToken } of [member, otherSession]) expect((await refresh(refreshToken)).status).toBe(401);
    expect((await service.call('GET', '/auth/sessions', { headers: bearer(otherSession) })).status).toBe(401);
    const event = await service.waitForEvent(
      sessionRevoked,
      ({ sessionId }) => sessionId === getSessionId(otherSession),
    );
    expect(event).toMatchObject({ actorId: admin.user._id, data: { reason: 'ended-by-administrator' } });
    expect((await endSessions(member.user._id, adminSession)).status).toBe(204);
    expect((await signIn(service, member.user.email)).status).toBe(200);
  });

  it('rejects callers who are not administrators, and unknown users', async () => {
    const adminSession = await signInAgain(admin);
    const member = await createMember(service, admin);
    expect(await endSessions(admin.user._id, member)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await endSessions(member.user._id, member)).status).toBe(403);
    expect((await service.call('DELETE', `/users/${member.user._id}/sessions`)).status).toBe(401);
    for (const unknownId of [newId(), 'nonsense'])
      expect((await endSessions(unknownId, adminSession)).status).toBe(404);
    service.addToDirectory(buildUser({ _id: member.user._id, deleted: true, version: 3 }));
    expect((await endSessions(member.user._id, adminSession)).status).toBe(404);
  });
});

describe('POST /auth/logout', () => {
  it('ends only the current session and publishes an event', async () => {
    const callerSession = await signInAgain(admin);
    const otherSession = await signInAgain(admin);
    expect((await logout(callerSession)).status).toBe(204);
    expect((await logout(callerSession)).status).toBe(401);
    expect((await refresh(callerSession.refreshToken)).status).toBe(401);
    const event = await service.waitForEvent(
      sessionRevoked,
      ({ sessionId }) => sessionId === getSessionId(callerSession),
    );
    expect(event.data).toMatchObject({ userId: admin.user._id, reason: 'logout' });
    expect((await refresh(otherSession.refreshToken)).status).toBe(200);
  });

  it('rejects anonymous callers', async () => {
    expect((await service.call('POST', '/auth/logout')).status).toBe(401);
  });
});

describe('on users.sessions.ended', () => {
  it('deletes the sessions started before the cutoff once, and keeps later sessions', async () => {
    const member = await createMember(service, admin);
    const earlierSession = await signInAgain(member);
    const validAfter = Date.now() + 1;
    await waitFor(() => Date.now() > validAfter, { description: 'the clock to advance' });
    const laterSession = await signInAgain(member);
    await service.deliver(sessionsEnded, { userId: member.user._id, validAfter, reason: 'role-changed' }, 2);
    const event = await service.waitForEvent(
      sessionRevoked,
      ({ sessionId }) => sessionId === getSessionId(earlierSession),
    );
    expect(event.data.reason).toBe('role-changed');
    await service.waitForEvent(sessionRevoked, ({ sessionId }) => sessionId === getSessionId(member));
    expect(service.countPublished(sessionRevoked, ({ userId }) => userId === member.user._id)).toBe(2);
    const reason = { code: 'session_ended', message: 'Your role was changed. Sign in again to continue.' };
    expect(await refresh(earlierSession.refreshToken)).toMatchObject({ status: 401, body: reason });
    expect((await refresh(laterSession.refreshToken)).status).toBe(200);
  });
});

describe('the signing keys', () => {
  it('are published without private parts, which are stored sealed', async () => {
    const response = await fetch(`${service.url}/.well-known/jwks.json`);
    const jwks = (await response.json()) as JSONWebKeySet;
    expect(jwks.keys).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: expect.any(String), alg: 'EdDSA', use: 'sig' },
    ]);
    await jwtVerify(admin.accessToken, createLocalJWKSet(jwks), { algorithms: ['EdDSA'] });
    const [row] = await service.query('select sealed_private_jwk as sealed from signing_keys');
    expect(row?.sealed).toMatch(/^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('are shared by processes that start concurrently, and extended when the secret changes', async () => {
    const fetchKeyIds = async (url: string) => {
      const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
      return keys.map(({ kid }) => kid);
    };
    await service.query('delete from signing_keys');
    const pods = await Promise.all([startProcess(service.env), startProcess(service.env), startProcess(service.env)]);
    const [firstKeys, ...otherKeys] = await Promise.all(pods.map(({ url }) => fetchKeyIds(url)));
    expect(firstKeys).toHaveLength(1);
    for (const keys of otherKeys) expect(keys).toEqual(firstKeys);
    const podWithNewSecret = await startProcess({
      ...service.env,
      KEY_ENCRYPTION_SECRET: 'another one, set by an operator',
    });
    const extendedKeys = await fetchKeyIds(podWithNewSecret.url);
    expect(extendedKeys).toHaveLength(2);
    expect(extendedKeys).toEqual(expect.arrayContaining(firstKeys ?? []));
    await Promise.all([...pods, podWithNewSecret].map((pod) => pod.close()));
  });
});

describe('housekeeping', () => {
  it('deletes expired rows and nothing else', async () => {
    const expiredSession = await signInAgain(admin);
    const openSession = await signInAgain(admin);
    await service.query(`update sessions set expires_at = now() - interval '1 second' where id = $1`, [
      getSessionId(expiredSession),
    ]);
    const expiredToken = await requestResetToken(service, await createMember(service, admin));
    const validToken = await requestResetToken(service, await createMember(service, admin));
    await service.query(`update password_resets set expires_at = now() - interval '31 days' where token_hash = $1`, [
      hashToken(expiredToken),
    ]);
    const pendingInvitation = await invite(service, admin);
    await service.query(`update invitations set expires_at = now() - interval '1 year' where id = $1`, [
      pendingInvitation.id,
    ]);
    const db = createDb(service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
    await applyRetention(db, retentionRules({ SESSION_MAX_DAYS: 180 }));
    await applyRetention(db, retentionRules({ SESSION_MAX_DAYS: 180 }));
    await db.pool.end();
    expect((await refresh(expiredSession.refreshToken)).status).toBe(401);
    expect((await refresh(openSession.refreshToken)).status).toBe(200);
    const remainingResets = await service.query('select token_hash from password_resets');
    expect(remainingResets).toEqual([{ token_hash: hashToken(validToken) }]);
    // The invitation is kept, because its email stays taken until it is revoked.
    const revokeResponse = await service.call('DELETE', `/auth/invites/${pendingInvitation.id}`, {
      headers: bearer(admin),
    });
    expect(revokeResponse.status).toBe(204);
  });

  it('deletes a known device half a year after its longest session ended', async () => {
    const usedSession = await signInAgain(admin);
    const unusedSession = await signInAgain(admin);
    const backdateDevice = (device: string, daysAgo: number) =>
      service.query(
        'update known_devices set last_used_at = now() - make_interval(days => $2::int) where token_hash = $1',
        [hashToken(device), daysAgo],
      );
    await backdateDevice(usedSession.device, 359);
    await backdateDevice(unusedSession.device, 361);
    const db = createDb(service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
    await applyRetention(db, retentionRules({ SESSION_MAX_DAYS: 180 }));
    await db.pool.end();
    const remainingDevices = await service.query('select token_hash from known_devices');
    expect(remainingDevices).toContainEqual({ token_hash: hashToken(usedSession.device) });
    expect(remainingDevices).not.toContainEqual({ token_hash: hashToken(unusedSession.device) });
  });

  it('deletes password reset requests unprocessed for an hour', async () => {
    // The service is stopped, so that only housekeeping processes the requests.
    const stoppedService = await startAuth();
    await stoppedService.close();
    await stoppedService.query(
      `insert into reset_requests (email, request_id, created_at)
       values ('old@example.org', 'r', now() - interval '61 minutes'), ('young@example.org', 'r', now())`,
    );
    const db = createDb(stoppedService.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
    await applyRetention(db, retentionRules({ SESSION_MAX_DAYS: 180 }));
    await db.pool.end();
    expect(await stoppedService.query('select email from reset_requests')).toEqual([{ email: 'young@example.org' }]);
  });
});

it('a refresh with an unknown token of any form is rejected with 401, and with a missing token with 400', async () => {
  const postRefresh = (body: unknown) => service.call('POST', '/auth/refresh', { body });
  const unknownTokens = [admin.accessToken, 'x'.repeat(5_000), ' ', 'ünknown', `${'a'.repeat(24)}.0.${'b'.repeat(43)}`];
  for (const refreshToken of unknownTokens) expect((await postRefresh({ refreshToken })).status).toBe(401);
  for (const body of [{}, { refreshToken: '' }, { refreshToken: null }]) {
    const { status, body: response } = await postRefresh(body);
    expect([status, response]).toMatchObject([400, { message: ['No refresh token available'] }]);
  }
});

it('a refresh returns the reason a session ended only for the current refresh token of the session', async () => {
  const member = await createMember(service, admin);
  const openSession = () => signInAgain(member);
  const readRefreshError = async ({ refreshToken }: Pick<SignedIn, 'refreshToken'>) => {
    const { status, body } = await refresh(refreshToken);
    return { status, ...(body as { code: string; message: string }) };
  };
  const toEndedError = (message: string) => ({ status: 401, code: 'session_ended', message });
  const unknownTokenError = { status: 401, code: 'unauthorized', message: 'Unauthorized' };

  const revokedSession = await openSession();
  const loggedOutSession = await openSession();
  const otherSession = await openSession();
  await service.call('DELETE', `/auth/sessions/${getSessionId(revokedSession)}`, { headers: bearer(otherSession) });
  expect(await readRefreshError(revokedSession)).toMatchObject(
    toEndedError('You signed out of this session on another device.'),
  );
  expect(await readRefreshError({ refreshToken: `${getSessionId(revokedSession)}.0.${'b'.repeat(43)}` })).toMatchObject(
    unknownTokenError,
  );
  await logout(loggedOutSession);
  expect(await readRefreshError(loggedOutSession)).toMatchObject(unknownTokenError);
  await service.call('DELETE', `/users/${member.user._id}/sessions`, { headers: bearer(admin) });
  expect(await readRefreshError(otherSession)).toMatchObject(toEndedError('An administrator signed you out.'));
  const signedOutSession = await openSession();
  await service.call('POST', '/auth/sign-out-everywhere', { headers: bearer(signedOutSession) });
  expect(await readRefreshError(signedOutSession)).toMatchObject(toEndedError('You signed out on all devices.'));

  const firstSession = await openSession();
  const changingSession = await openSession();
  const refreshedSession = (await refresh(firstSession.refreshToken)).body as SignedIn;
  const body = { currentPassword: PASSWORD, newPassword: 'Another#Horse2' };
  await service.call('POST', '/auth/change-password', { headers: bearer(changingSession), body });
  const passwordChangedError = toEndedError('Your password was changed. Sign in with the new password.');
  for (const session of [refreshedSession, changingSession])
    expect(await readRefreshError(session)).toMatchObject(passwordChangedError);
  expect(await readRefreshError(firstSession)).toMatchObject(unknownTokenError);

  const changedSession = (await signIn(service, member.user.email, { password: body.newPassword })).body as SignedIn;
  const { _id, email } = member.user;
  service.addToDirectory(buildUser({ _id, email, sessionsValidAfter: Date.now() + 60_000, version: 2 }));
  // The directory is ahead of the event that removes the session.
  expect(await readRefreshError(changedSession)).toMatchObject(
    toEndedError('Your account was changed. Sign in again to continue.'),
  );
});
