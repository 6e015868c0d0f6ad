import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { sessionsEnded } from '@atrium/proto-events/events/users';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { applyRetention } from '@atrium/service-kit/postgres/housekeeping';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/people';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { retentionRules } from '../src/retention.ts';
import { hashToken } from '../src/secrets/crypto.ts';
import {
  bearer,
  buildDeactivatedUser,
  createMember,
  invite,
  PASSWORD,
  register,
  requestResetToken,
  type SignedIn,
  sessionIdOf,
  signIn,
  startAuth,
  startProcess,
  startWithAdmin,
  refresh as useToken,
} from './factories.ts';

const { service, admin } = await startWithAdmin();

const refresh = (refreshToken: string) => useToken(service, refreshToken);
const logout = (by: SignedIn) => service.call('POST', '/auth/logout', { headers: bearer(by) });
const again = async ({ user }: SignedIn) => (await signIn(service, user.email)).body as SignedIn;
const letSessionAge = (session: SignedIn, days: number) =>
  service.query('update sessions set created_at = created_at - make_interval(days => $2::int) where id = $1', [
    sessionIdOf(session),
    days,
  ]);
async function endOf(session: SignedIn, where = service): Promise<Date> {
  const [row] = await where.query('select expires_at as at from sessions where id = $1', [sessionIdOf(session)]);
  return row?.at as Date;
}
const DAY_MS = 86_400_000;

it('issues tokens valid for 15 minutes even if the clock of the signing pod is behind', async () => {
  const { now } = Date;
  Date.now = () => now() - 1_200_000;
  let session: SignedIn;
  let renewed: SignedIn;
  try {
    session = await again(admin);
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
    const first = await again(admin);
    const { status, body } = await refresh(first.refreshToken);
    expect(status).toBe(200);
    const second = body as SignedIn;
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(sessionIdOf(second)).toBe(sessionIdOf(first));
    expect((await refresh(second.refreshToken)).status).toBe(200);
    expect(Object.keys(second).sort()).toEqual(['accessToken', 'refreshToken']);
  });

  it('returns the same successor to two concurrent refreshes', async () => {
    const { refreshToken } = await again(admin);
    const responses = await Promise.all(Array.from({ length: 5 }, () => refresh(refreshToken)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const successors = new Set(responses.map(({ body }) => (body as SignedIn).refreshToken));
    expect(successors.size).toBe(1);
    expect((await refresh([...successors][0] ?? '')).status).toBe(200);
  });

  it('returns the same successor for a retry until the successor is used', async () => {
    const first = await again(admin);
    const lost = (await refresh(first.refreshToken)).body as SignedIn;
    const repeated = await refresh(first.refreshToken);
    expect(repeated.status).toBe(200);
    expect((repeated.body as SignedIn).refreshToken).toBe(lost.refreshToken);
    const used = (await refresh(lost.refreshToken)).body as SignedIn;
    expect((await refresh(first.refreshToken)).status).toBe(401);
    expect((await refresh(used.refreshToken)).status).toBe(401);
  });

  it('ends the session when a rotated token is reused after its successor', async () => {
    const first = await again(admin);
    const second = (await refresh(first.refreshToken)).body as SignedIn;
    const third = (await refresh(second.refreshToken)).body as SignedIn;
    expect((await refresh(first.refreshToken)).status).toBe(401);
    // Immediately, without waiting for the event.
    expect((await logout({ ...admin, accessToken: third.accessToken })).status).toBe(401);
    expect((await refresh(third.refreshToken)).status).toBe(401);
    const event = await service.published(sessionRevoked, ({ sessionId }) => sessionId === sessionIdOf(first));
    expect(event.data).toMatchObject({ userId: admin.user._id, reason: 'refresh-token-reused' });
  });

  it('stores one row per session and no usable token', async () => {
    const first = await again(admin);
    const second = (await refresh(first.refreshToken)).body as SignedIn;
    const third = (await refresh(second.refreshToken)).body as SignedIn;
    const stored = await service.query('select row_to_json(s)::text as session from sessions s where s.id = $1', [
      sessionIdOf(first),
    ]);
    expect(stored).toHaveLength(1);
    const text = JSON.stringify(stored);
    expect(text).toContain(hashToken(third.refreshToken).toString('hex'));
    for (const { refreshToken } of [first, second, third]) {
      expect(text).not.toContain(refreshToken);
      expect(text).not.toContain(refreshToken.split('.')[2]);
    }
  });

  it('rejects forged tokens without ending any session', async () => {
    const session = await again(admin);
    const { refreshToken } = session;
    const [id, , code] = refreshToken.split('.');
    const used = (await refresh(refreshToken)).body as SignedIn;
    const other = (await again(admin)).refreshToken;
    const madeUp = [
      `${id}.0.${'A'.repeat(43)}`,
      `${id}.1.${code}`,
      `${id}.2.${code}`,
      `${id}.00.${code}`,
      `${id}.-1.${code}`,
      `${id}.99999999999.${code}`,
      `${id}.0.${other.split('.')[2]}`,
      `no-such-session.0.${code}`,
      `${refreshToken}.`,
      'x'.repeat(43),
    ];
    for (const token of madeUp) expect([token, (await refresh(token)).status]).toEqual([token, 401]);
    expect((await refresh(used.refreshToken)).status).toBe(200);
  });

  it('rejects expired tokens with 401 and a missing token with 400', async () => {
    const session = await again(admin);
    await service.query('update sessions set expires_at = now() where id = $1', [sessionIdOf(session)]);
    expect((await refresh(session.refreshToken)).status).toBe(401);
    const { status, body } = await service.call('POST', '/auth/refresh', { body: {} });
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: ['No refresh token available'] });
  });

  it('rejects inactive users and sessions older than the cutoff in the directory', async () => {
    const inactive = await createMember(service, admin);
    service.addToDirectory(buildDeactivatedUser(inactive.user._id));
    expect((await refresh(inactive.refreshToken)).status).toBe(401);
    const ended = await createMember(service, admin);
    service.addToDirectory(buildUser({ _id: ended.user._id, sessionsValidAfter: Date.now() + 1, version: 3 }));
    expect((await refresh(ended.refreshToken)).status).toBe(401);
  });

  it('keeps the token usable while its user is unknown to the directory', async () => {
    const open = await startAuth({ REGISTRATION: 'open' });
    try {
      const body = { email: 'unknown@example.org', password: PASSWORD, firstName: 'A', lastName: 'B' };
      const { refreshToken } = (await open.call('POST', '/auth/register', { body })).body as SignedIn;
      expect((await open.call('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(503);
      expect(await open.query('select token_number from sessions')).toEqual([{ token_number: 0 }]);
    } finally {
      await open.close();
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
    const session = await again(admin);
    await refresh(session.refreshToken);
    expect(Math.round(((await endOf(session)).getTime() - Date.now()) / DAY_MS)).toBe(30);
  });

  it('expires half a year after it started, regardless of use', async () => {
    const session = await again(admin);
    await letSessionAge(session, 175);
    const renewed = await refresh(session.refreshToken);
    expect(renewed.status).toBe(200);
    expect(Math.round(((await endOf(session)).getTime() - Date.now()) / DAY_MS)).toBe(5);
    // Simulates an expiry beyond the maximum lifetime.
    await letSessionAge(session, 6);
    expect((await refresh((renewed.body as SignedIn).refreshToken)).status).toBe(401);
  });

  it('uses the configured lifetime', async () => {
    const strict = await startAuth({ SESSION_IDLE_DAYS: '2', SESSION_MAX_DAYS: '1' });
    try {
      const one = await register(strict);
      expect(Math.round(((await endOf(one, strict)).getTime() - Date.now()) / DAY_MS)).toBe(1);
    } finally {
      await strict.close();
    }
  });
});

describe('POST /auth/sign-out-everywhere', () => {
  it('ends all sessions of the caller, including the current one, and no others', async () => {
    const member = await createMember(service, admin);
    const [one, other] = [await again(member), await again(member)];
    const out = () => service.call('POST', '/auth/sign-out-everywhere', { headers: bearer(one) });
    expect((await out()).status).toBe(204);
    expect((await out()).status).toBe(401);
    for (const { refreshToken } of [member, one, other]) expect((await refresh(refreshToken)).status).toBe(401);
    const event = await service.published(sessionRevoked, ({ sessionId }) => sessionId === sessionIdOf(other));
    expect(event).toMatchObject({ actorId: member.user._id, data: { reason: 'signed-out-everywhere' } });
    expect((await refresh(admin.refreshToken)).status).toBe(200);
    expect((await signIn(service, member.user.email)).status).toBe(200);
  });

  it('rejects anonymous callers', async () => {
    expect((await service.call('POST', '/auth/sign-out-everywhere')).status).toBe(401);
  });
});

describe('DELETE /users/{id}/sessions', () => {
  const end = (id: string, by: SignedIn) => service.call('DELETE', `/users/${id}/sessions`, { headers: bearer(by) });

  it('ends all sessions of a user for an administrator, and publishes who did it', async () => {
    const boss = await again(admin);
    const member = await createMember(service, admin);
    const other = await again(member);
    expect((await end(member.user._id, boss)).status).toBe(204);
    for (const { refreshToken } of [member, other]) expect((await refresh(refreshToken)).status).toBe(401);
    expect((await service.call('GET', '/auth/sessions', { headers: bearer(other) })).status).toBe(401);
    const event = await service.published(sessionRevoked, ({ sessionId }) => sessionId === sessionIdOf(other));
    expect(event).toMatchObject({ actorId: admin.user._id, data: { reason: 'ended-by-administrator' } });
    expect((await end(member.user._id, boss)).status).toBe(204);
    expect((await signIn(service, member.user.email)).status).toBe(200);
  });

  it('rejects callers who are not administrators, and unknown users', async () => {
    const boss = await again(admin);
    const member = await createMember(service, admin);
    expect(await end(admin.user._id, member)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await end(member.user._id, member)).status).toBe(403);
    expect((await service.call('DELETE', `/users/${member.user._id}/sessions`)).status).toBe(401);
    for (const unknown of [newId(), 'nonsense']) expect((await end(unknown, boss)).status).toBe(404);
    service.addToDirectory(buildUser({ _id: member.user._id, deleted: true, version: 3 }));
    expect((await end(member.user._id, boss)).status).toBe(404);
  });
});

describe('POST /auth/logout', () => {
  it('ends only the current session and publishes an event', async () => {
    const [one, other] = [await again(admin), await again(admin)];
    expect((await logout(one)).status).toBe(204);
    expect((await logout(one)).status).toBe(401);
    expect((await refresh(one.refreshToken)).status).toBe(401);
    const event = await service.published(sessionRevoked, ({ sessionId }) => sessionId === sessionIdOf(one));
    expect(event.data).toMatchObject({ userId: admin.user._id, reason: 'logout' });
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  it('rejects anonymous callers', async () => {
    expect((await service.call('POST', '/auth/logout')).status).toBe(401);
  });
});

describe('on users.sessions.ended', () => {
  it('deletes the sessions started before the cutoff once, and keeps later ones', async () => {
    const member = await createMember(service, admin);
    const before = await again(member);
    const validAfter = Date.now() + 1;
    await waitFor(() => Date.now() > validAfter, { what: 'the clock to advance' });
    const after = await again(member);
    await service.deliver(sessionsEnded, { userId: member.user._id, validAfter, reason: 'role-changed' }, 2);
    const event = await service.published(sessionRevoked, ({ sessionId }) => sessionId === sessionIdOf(before));
    expect(event.data.reason).toBe('role-changed');
    await service.published(sessionRevoked, ({ sessionId }) => sessionId === sessionIdOf(member));
    expect(service.countPublished(sessionRevoked, ({ userId }) => userId === member.user._id)).toBe(2);
    const reason = { code: 'session_ended', message: 'Your role was changed. Sign in again to continue.' };
    expect(await refresh(before.refreshToken)).toMatchObject({ status: 401, body: reason });
    expect((await refresh(after.refreshToken)).status).toBe(200);
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
    const keysOf = async (url: string) => {
      const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
      return keys.map(({ kid }) => kid);
    };
    await service.query('delete from signing_keys');
    const pods = await Promise.all([startProcess(service.env), startProcess(service.env), startProcess(service.env)]);
    const [first, ...others] = await Promise.all(pods.map(({ url }) => keysOf(url)));
    expect(first).toHaveLength(1);
    for (const other of others) expect(other).toEqual(first);
    const changed = await startProcess({ ...service.env, KEY_ENCRYPTION_SECRET: 'another one, set by an operator' });
    const now = await keysOf(changed.url);
    expect(now).toHaveLength(2);
    expect(now).toEqual(expect.arrayContaining(first ?? []));
    await Promise.all([...pods, changed].map((pod) => pod.close()));
  });
});

describe('housekeeping', () => {
  it('deletes expired rows and nothing else', async () => {
    const [old, young] = [await again(admin), await again(admin)];
    await service.query(`update sessions set expires_at = now() - interval '1 second' where id = $1`, [
      sessionIdOf(old),
    ]);
    const links = { old: await requestResetToken(service, await createMember(service, admin)), young: '' };
    links.young = await requestResetToken(service, await createMember(service, admin));
    await service.query(`update password_resets set expires_at = now() - interval '31 days' where token_hash = $1`, [
      hashToken(links.old),
    ]);
    const unaccepted = await invite(service, admin);
    await service.query(`update invitations set expires_at = now() - interval '1 year' where id = $1`, [unaccepted.id]);
    const db = createDb(service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
    await applyRetention(db, retentionRules({ SESSION_MAX_DAYS: 180 }));
    await applyRetention(db, retentionRules({ SESSION_MAX_DAYS: 180 }));
    await db.pool.end();
    expect((await refresh(old.refreshToken)).status).toBe(401);
    expect((await refresh(young.refreshToken)).status).toBe(200);
    const kept = await service.query('select token_hash from password_resets');
    expect(kept).toEqual([{ token_hash: hashToken(links.young) }]);
    // Without revoking, its email would stay taken.
    const revoked = await service.call('DELETE', `/auth/invites/${unaccepted.id}`, { headers: bearer(admin) });
    expect(revoked.status).toBe(204);
  });

  it('deletes a known device half a year after its longest session ended', async () => {
    const [used, unused] = [await again(admin), await again(admin)];
    const signedIn = (device: string, daysAgo: number) =>
      service.query(
        'update known_devices set last_used_at = now() - make_interval(days => $2::int) where token_hash = $1',
        [hashToken(device), daysAgo],
      );
    await signedIn(used.device, 359);
    await signedIn(unused.device, 361);
    const db = createDb(service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
    await applyRetention(db, retentionRules({ SESSION_MAX_DAYS: 180 }));
    await db.pool.end();
    const kept = await service.query('select token_hash from known_devices');
    expect(kept).toContainEqual({ token_hash: hashToken(used.device) });
    expect(kept).not.toContainEqual({ token_hash: hashToken(unused.device) });
  });

  it('deletes password reset requests unprocessed for an hour', async () => {
    // Stopped, so that only housekeeping processes the requests.
    const ended = await startAuth();
    await ended.close();
    await ended.query(
      `insert into reset_requests (email, request_id, created_at)
       values ('old@example.org', 'r', now() - interval '61 minutes'), ('young@example.org', 'r', now())`,
    );
    const db = createDb(ended.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
    await applyRetention(db, retentionRules({ SESSION_MAX_DAYS: 180 }));
    await db.pool.end();
    expect(await ended.query('select email from reset_requests')).toEqual([{ email: 'young@example.org' }]);
  });
});

it('rejects an unknown refresh token of any form with 401, and a missing one with 400', async () => {
  const call = (body: unknown) => service.call('POST', '/auth/refresh', { body });
  const unknown = [admin.accessToken, 'x'.repeat(5_000), ' ', 'ünknown', `${'a'.repeat(24)}.0.${'b'.repeat(43)}`];
  for (const refreshToken of unknown) expect((await call({ refreshToken })).status).toBe(401);
  for (const body of [{}, { refreshToken: '' }, { refreshToken: null }]) {
    const { status, body: response } = await call(body);
    expect([status, response]).toMatchObject([400, { message: ['No refresh token available'] }]);
  }
});

it('returns the reason a session ended only to a client with its current refresh token', async () => {
  const member = await createMember(service, admin);
  const open = () => again(member);
  const refreshed = async ({ refreshToken }: Pick<SignedIn, 'refreshToken'>) => {
    const { status, body } = await refresh(refreshToken);
    return { status, ...(body as { code: string; message: string }) };
  };
  const ended = (message: string) => ({ status: 401, code: 'session_ended', message });
  const unknown = { status: 401, code: 'unauthorized', message: 'Unauthorized' };

  const [revoked, loggedOut, other] = [await open(), await open(), await open()];
  await service.call('DELETE', `/auth/sessions/${sessionIdOf(revoked)}`, { headers: bearer(other) });
  expect(await refreshed(revoked)).toMatchObject(ended('You signed out of this session on another device.'));
  expect(await refreshed({ refreshToken: `${sessionIdOf(revoked)}.0.${'b'.repeat(43)}` })).toMatchObject(unknown);
  await logout(loggedOut);
  expect(await refreshed(loggedOut)).toMatchObject(unknown);
  await service.call('DELETE', `/users/${member.user._id}/sessions`, { headers: bearer(admin) });
  expect(await refreshed(other)).toMatchObject(ended('An administrator signed you out.'));
  const everywhere = await open();
  await service.call('POST', '/auth/sign-out-everywhere', { headers: bearer(everywhere) });
  expect(await refreshed(everywhere)).toMatchObject(ended('You signed out on all devices.'));

  const [first, changing] = [await open(), await open()];
  const used = (await refresh(first.refreshToken)).body as SignedIn;
  const body = { currentPassword: PASSWORD, newPassword: 'Another#Horse2' };
  await service.call('POST', '/auth/change-password', { headers: bearer(changing), body });
  const changed = ended('Your password was changed. Sign in with the new password.');
  for (const session of [used, changing]) expect(await refreshed(session)).toMatchObject(changed);
  expect(await refreshed(first)).toMatchObject(unknown);

  const promoted = (await signIn(service, member.user.email, { password: body.newPassword })).body as SignedIn;
  const { _id, email } = member.user;
  service.addToDirectory(buildUser({ _id, email, sessionsValidAfter: Date.now() + 60_000, version: 2 }));
  // The directory is ahead of the event that removes the session.
  expect(await refreshed(promoted)).toMatchObject(ended('Your account was changed. Sign in again to continue.'));
});
