import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { sessionsEnded } from '@atrium/proto-events/events/users';
import { createLogger } from '@atrium/service-kit/logger';
import { createDb } from '@atrium/service-kit/postgres';
import { aPerson } from '@atrium/test-kit/people';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { removeExpired } from '../src/housekeeping.ts';
import { hashToken } from '../src/sessions/refresh-tokens.ts';
import {
  aMember,
  askForReset,
  bearer,
  inDatabase,
  invite,
  PASSWORD,
  type SignedIn,
  sessionOf,
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
const letGracePass = (token: string) =>
  inDatabase(
    service,
    `update refresh_tokens set rotated_at = rotated_at - interval '11 seconds' where token_hash = $1`,
    [hashToken(token)],
  );

describe('POST /auth/refresh', () => {
  it('gives a new pair for the same session', async () => {
    const first = await again(admin);
    const { status, body } = await refresh(first.refreshToken);
    expect(status).toBe(200);
    const second = body as SignedIn;
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(sessionOf(second)).toBe(sessionOf(first));
    expect((await refresh(second.refreshToken)).status).toBe(200);
    expect(Object.keys(second).sort()).toEqual(['accessToken', 'refreshToken']);
  });

  it('gives two tabs that refresh at once the same successor', async () => {
    const { refreshToken } = await again(admin);
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const successors = new Set(answers.map(({ body }) => (body as SignedIn).refreshToken));
    expect(successors.size).toBe(1);
    expect((await refresh([...successors][0] ?? '')).status).toBe(200);
  });

  it('ends the whole session when a rotated token is used a second time', async () => {
    const first = await again(admin);
    const second = (await refresh(first.refreshToken)).body as SignedIn;
    const third = (await refresh(second.refreshToken)).body as SignedIn;
    await letGracePass(first.refreshToken);
    expect((await refresh(first.refreshToken)).status).toBe(401);
    expect((await refresh(third.refreshToken)).status).toBe(401);
    const event = await service.published(sessionRevoked, ({ sessionId }) => sessionId === sessionOf(first));
    expect(event.data).toMatchObject({ userId: admin.user._id, reason: 'refresh-token-reused' });
    await waitFor(async () => (await logout({ ...admin, accessToken: third.accessToken })).status === 401, {
      what: 'the access token of the revoked session to be refused',
    });
  });

  it('keeps no token that could be used', async () => {
    const first = await again(admin);
    const second = (await refresh(first.refreshToken)).body as SignedIn;
    const stored = JSON.stringify(
      await inDatabase(service, 'select row_to_json(t)::text as row from refresh_tokens t'),
    );
    expect(stored).toContain(hashToken(second.refreshToken).toString('hex'));
    expect(stored).not.toContain(second.refreshToken);
  });

  it('refuses unknown and expired tokens with 401 and none at all with 400', async () => {
    expect((await refresh('x'.repeat(43))).status).toBe(401);
    const { refreshToken } = await again(admin);
    await inDatabase(service, 'update refresh_tokens set expires_at = now() where token_hash = $1', [
      hashToken(refreshToken),
    ]);
    expect((await refresh(refreshToken)).status).toBe(401);
    const { status, body } = await service.call('POST', '/auth/refresh', { body: {} });
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: ['No refresh token available'] });
  });

  it('asks the directory: nobody inactive, and no session from before a person’s sessions ended', async () => {
    const inactive = await aMember(service, admin);
    service.know(aPerson({ _id: inactive.user._id, status: 'inactive', version: 3 }));
    expect((await refresh(inactive.refreshToken)).status).toBe(401);
    const ended = await aMember(service, admin);
    service.know(aPerson({ _id: ended.user._id, sessionsValidAfter: Date.now() + 1, version: 3 }));
    expect((await refresh(ended.refreshToken)).status).toBe(401);
  });

  it('leaves the token as it was while nothing is known of its person, however long that takes', async () => {
    const open = await startAuth({ REGISTRATION: 'open' });
    try {
      const body = { email: 'unknown@example.org', password: PASSWORD, firstName: 'A', lastName: 'B' };
      const { refreshToken } = (await open.call('POST', '/auth/register', { body })).body as SignedIn;
      expect((await open.call('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(503);
      expect(await inDatabase(open, 'select rotated_at from refresh_tokens')).toEqual([{ rotated_at: null }]);
    } finally {
      await open.close();
    }
  });

  it('takes the role from the directory', async () => {
    const member = await aMember(service, admin);
    service.know(aPerson({ _id: member.user._id, role: 'project_manager', version: 3 }));
    const { body } = await refresh(member.refreshToken);
    expect(decodeJwt((body as SignedIn).accessToken).role).toBe('project_manager');
  });
});

describe('POST /auth/logout', () => {
  it('ends this session and no other, and tells it', async () => {
    const [one, other] = [await again(admin), await again(admin)];
    expect((await logout(one)).status).toBe(204);
    expect((await logout(one)).status).toBe(401);
    expect((await refresh(one.refreshToken)).status).toBe(401);
    const event = await service.published(sessionRevoked, ({ sessionId }) => sessionId === sessionOf(one));
    expect(event.data).toMatchObject({ userId: admin.user._id, reason: 'logout' });
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  it('refuses the anonymous', async () => {
    expect((await service.call('POST', '/auth/logout')).status).toBe(401);
  });
});

describe('on users.sessions.ended', () => {
  it('removes the sessions from before, once, and keeps those from after', async () => {
    const member = await aMember(service, admin);
    const before = await again(member);
    const validAfter = Date.now() + 1;
    await waitFor(() => Date.now() > validAfter, { what: 'the clock to move on' });
    const after = await again(member);
    await service.deliver(sessionsEnded, { userId: member.user._id, validAfter, reason: 'role-changed' }, 2);
    const event = await service.published(sessionRevoked, ({ sessionId }) => sessionId === sessionOf(before));
    expect(event.data.reason).toBe('role-changed');
    await service.published(sessionRevoked, ({ sessionId }) => sessionId === sessionOf(member));
    expect(service.countPublished(sessionRevoked, ({ userId }) => userId === member.user._id)).toBe(2);
    expect((await refresh(before.refreshToken)).status).toBe(401);
    expect((await refresh(after.refreshToken)).status).toBe(200);
  });
});

describe('the signing keys', () => {
  it('are published without their private half, which the database has only sealed', async () => {
    const response = await fetch(`${service.url}/.well-known/jwks.json`);
    const jwks = (await response.json()) as JSONWebKeySet;
    expect(jwks.keys).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: expect.any(String), alg: 'EdDSA', use: 'sig' },
    ]);
    await jwtVerify(admin.accessToken, createLocalJWKSet(jwks), { algorithms: ['EdDSA'] });
    const [row] = await inDatabase(service, 'select sealed_private_jwk as sealed from signing_keys');
    expect(row?.sealed).toMatch(/^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('are shared by processes that start at once, and added to when the secret changes', async () => {
    const keysOf = async (url: string) => {
      const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
      return keys.map(({ kid }) => kid);
    };
    await inDatabase(service, 'delete from signing_keys');
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
  it('removes what has expired and nothing else', async () => {
    const [old, young] = [await again(admin), await again(admin)];
    await inDatabase(service, `update sessions set expires_at = now() - interval '1 second' where id = $1`, [
      sessionOf(old),
    ]);
    const links = { old: await askForReset(service, await aMember(service, admin)), young: '' };
    links.young = await askForReset(service, await aMember(service, admin));
    await inDatabase(
      service,
      `update password_resets set expires_at = now() - interval '31 days' where token_hash = $1`,
      [hashToken(links.old)],
    );
    const unaccepted = await invite(service, admin);
    await inDatabase(service, `update invitations set expires_at = now() - interval '1 year' where id = $1`, [
      unaccepted.id,
    ]);
    const db = createDb(service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
    await removeExpired(db);
    await removeExpired(db);
    await db.pool.end();
    expect((await refresh(old.refreshToken)).status).toBe(401);
    expect((await refresh(young.refreshToken)).status).toBe(200);
    const kept = await inDatabase(service, 'select token_hash from password_resets');
    expect(kept).toEqual([{ token_hash: hashToken(links.young) }]);
    // Its address would be taken for ever if it could not be taken back.
    const revoked = await service.call('DELETE', `/auth/invites/${unaccepted.id}`, { headers: bearer(admin) });
    expect(revoked.status).toBe(204);
  });
});
