import { sessionRevoked, sessionStarted } from '@atrium/proto-events/events/auth';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { expect, it } from '@jest/globals';
import { endSessions } from '../src/sessions/end-sessions.ts';
import { bearer, createMember, getSessionId, refresh, type SignedIn, signIn, startWithAdmin } from './factories.ts';

const { service, admin } = await startWithAdmin();

/** Inserts sessions like those of a script, last used from the interval `since` ago on, one second apart. */
const insertSessions = (userId: string, count: number, since: string) =>
  service.query(
    `insert into sessions (id, user_id, created_at, last_used_at, expires_at, token_seed, token_hash)
     select substr(md5($1 || $3 || n), 1, 24), $1, now() - interval '60 days',
            now() - $3::interval + make_interval(secs => n), now() + interval '20 days', '\\x00', sha256(n::text::bytea)
     from generate_series(1, $2::int) n`,
    [userId, count, since],
  );

const signInAgain = async ({ user }: SignedIn) => (await signIn(service, user.email)).body as SignedIn;
const listIds = async (userId: string) =>
  (await service.query('select id from sessions where user_id = $1 order by last_used_at', [userId])).map(
    ({ id }) => id,
  );

it('ends 20,000 sessions of one user without delaying others', async () => {
  const member = await createMember(service, admin);
  const otherMember = await createMember(service, admin);
  const { _id } = member.user;
  await insertSessions(_id, 20_000, '30 days');
  expect((await service.call('POST', '/auth/sign-out-everywhere', { headers: bearer(member) })).status).toBe(204);
  expect((await refresh(service, member.refreshToken)).status).toBe(401);
  expect(await listIds(_id)).toEqual([]);

  expect((await service.call('POST', '/auth/logout', { headers: bearer(otherMember) })).status).toBe(204);
  await service.waitForEvent(sessionRevoked, ({ sessionId }) => sessionId === getSessionId(otherMember));
  const pendingRows = await service.query('select from outbox where aggregate = $1', [_id]);
  expect(pendingRows.length).toBeGreaterThan(10_000);
  // Sessions with a live access token come first.
  await service.waitForEvent(sessionRevoked, ({ sessionId }) => sessionId === getSessionId(member));
});

it('ends many sessions with as many statements as one', async () => {
  const member = await createMember(service, admin);
  await insertSessions(member.user._id, 500, '30 days');
  const db = createDb(service.env.DATABASE_URL ?? '', 1, createLogger('test', 'silent'));
  let statements = 0;
  const endedIds = await db.transaction((tx) => {
    const countingTx: typeof tx = {
      query(query, values) {
        statements += 1;
        return tx.query(query, values);
      },
    };
    return endSessions(countingTx, { userId: member.user._id, reason: 'of a test', actorId: null });
  });
  await db.pool.end();
  expect(endedIds).toHaveLength(501);
  expect(statements).toBeLessThanOrEqual(3);
});

it('ends the least recently used sessions beyond 100 per user on sign-in', async () => {
  const member = await createMember(service, admin);
  const { _id } = member.user;
  await insertSessions(_id, 101, '10 days');
  await insertSessions(_id, 1, '50 days');
  // Expired sessions do not count.
  await service.query(
    `update sessions set expires_at = now() - interval '1 second' where id in (
    select id from sessions where user_id = $1 and last_used_at < now() - interval '9 days' order by last_used_at desc limit 2)`,
    [_id],
  );
  const [unusedId, oldestId, nextId] = await listIds(_id);
  const newSession = await signInAgain(member);
  const listResponse = await service.call('GET', '/auth/sessions', { headers: bearer(newSession) });
  expect(listResponse.body).toMatchObject({ total: 100 });
  for (const id of [unusedId, oldestId]) {
    const event = await service.waitForEvent(sessionRevoked, ({ sessionId }) => sessionId === id);
    expect(event).toMatchObject({ actorId: null, data: { userId: _id, reason: 'too-many' } });
  }
  expect(await listIds(_id)).toContain(nextId);
  expect((await refresh(service, newSession.refreshToken)).status).toBe(200);
  expect((await refresh(service, member.refreshToken)).status).toBe(200);
  expect(service.countPublished(sessionStarted, ({ userId }) => userId === _id)).toBe(2);
});

it('keeps a browser session that refreshes while a script signs in for every call', async () => {
  const member = await createMember(service, admin);
  const refreshResponse = await refresh(service, member.refreshToken);
  expect(refreshResponse.status).toBe(200);
  await insertSessions(member.user._id, 600, '-1 hour');
  for (let call = 0; call < 2; call += 1) {
    const newSessionId = getSessionId(await signInAgain(member));
    expect(await listIds(member.user._id)).toContain(newSessionId);
  }
  expect(await listIds(member.user._id)).toHaveLength(100);
  expect(await listIds(member.user._id)).toContain(getSessionId(member));
});
