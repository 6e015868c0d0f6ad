import type { SecurityRecord } from '@atrium/proto-events/events/audit';
import { testNats } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { buildUser } from '@atrium/test-kit/people';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterEach, expect, it } from '@jest/globals';
import { bearer, postForgotPassword, invite, PASSWORD, refresh, register, type SignedIn, signIn, startAuth } from './factories.ts';

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** The service, whose way to NATS can be cut, and its administrator. */
async function startOnLine(env: Record<string, string> = {}) {
  const line = await createFaultyProxy((await testNats()).url);
  ending.unshift(() => line.close());
  const service = await startAuth({ ...env, NATS_URL: line.url });
  ending.unshift(() => service.close());
  return { line, service, admin: await register(service) };
}

it('rejects sign-in and refresh while the directory is stale, without losing sessions', async () => {
  const { line, service, admin } = await startOnLine({ DIRECTORY_MAX_AGE_SECONDS: '2' });
  const { user } = admin;
  const { token } = await invite(service, admin);
  const session = (await signIn(service, user.email)).body as SignedIn;
  let { refreshToken } = (await refresh(service, session.refreshToken)).body as SignedIn;

  line.cut();
  // As long as nobody can have been shut out for long, work goes on.
  const soon = await refresh(service, refreshToken);
  expect(soon.status).toBe(200);
  ({ refreshToken } = soon.body as SignedIn);
  await waitFor(() => service.running.directory.ageMs() > 2_000, { what: 'what is known of people to be old' });
  const late = await refresh(service, refreshToken);
  expect(late).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(late.headers.get('retry-after')).toBe('5');
  expect((await signIn(service, user.email)).status).toBe(503);
  const accept = () => service.call('POST', '/auth/accept-invite', { body: { token, password: PASSWORD } });
  expect(await accept()).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  const body = { currentPassword: PASSWORD, newPassword: 'Another#Horse2' };
  const changed = await service.call('POST', '/auth/change-password', { headers: bearer(session), body });
  expect(changed).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  // Readiness stays, for its keys are asked for; what is missing is said.
  const ready = await fetch(`${service.url}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([
    200,
    { status: 'degraded', parts: { 'sign-in': 'unavailable' } },
  ]);
  // The access token is good until it ends by itself.
  expect((await service.call('GET', '/auth/invites', { headers: bearer(session) })).status).toBe(200);

  line.mend();
  const renewed = await waitFor(
    async () => {
      const answer = await refresh(service, refreshToken);
      return answer.status === 200 ? (answer.body as SignedIn) : undefined;
    },
    { what: 'the session to be renewed', timeoutMs: 20_000 },
  );
  expect((await refresh(service, renewed.refreshToken)).status).toBe(200);
  expect((await accept()).status).toBe(201);
});

it('defers accepting an invitation while the directory is stale, without counting a failure', async () => {
  const { line, service, admin } = await startOnLine();
  // An administrator had given them another role before, which ends sessions, too: those that were.
  const { token, userId, email } = await invite(service, admin);
  const invited = buildUser({ _id: userId, email, status: 'inactive', sessionsValidAfter: Date.now(), version: 2 });
  service.addToDirectory(invited);

  line.cut();
  const body = { token, password: PASSWORD };
  const accepted = await service.call('POST', '/auth/accept-invite', { body });
  expect(accepted.status).toBe(201);
  const session = accepted.body as SignedIn;
  const away = { status: 503, body: { code: 'unavailable' } };
  expect(await refresh(service, session.refreshToken)).toMatchObject(away);
  const tries = await Promise.all(Array.from({ length: 12 }, () => signIn(service, email)));
  for (const answer of tries) expect(answer).toMatchObject(away);
  expect(await service.query('select from login_failures')).toEqual([]);
  // Their link waits with all else that is told by NATS.
  expect((await postForgotPassword(service, email)).status).toBe(202);
  await waitFor(async () => (await service.query('select from reset_requests')).length === 0, { what: 'an answer' });
  expect(await service.query('select from password_resets where user_id = $1', [userId])).toHaveLength(1);

  line.mend();
  await service.announce({ ...invited, status: 'active', version: 3 });
  await waitFor(() => service.running.directory.user(userId)?.status === 'active', { what: 'the news of them' });
  expect((await refresh(service, session.refreshToken)).status).toBe(200);
  expect((await signIn(service, email)).status).toBe(200);
  expect((await service.call('GET', '/auth/sessions', { headers: bearer(session) })).status).toBe(200);
});

it('stores the security record of a sign-in before responding, whether it succeeds or fails', async () => {
  const { line, service, admin } = await startOnLine();
  line.cut();
  const stored = async () => {
    const rows = await service.query(`select payload from outbox where subject = 'audit.auth.recorded.v1' order by id`);
    return rows.map(({ payload }) => (JSON.parse(String(payload)) as { data: SecurityRecord }).data);
  };
  const before = (await stored()).length;
  const { email, _id: userId } = admin.user;
  const guess = { email, password: 'Wrong#Horse1' };
  expect((await service.call('POST', '/auth/login', { body: guess })).status).toBe(401);
  expect((await stored()).slice(before)).toMatchObject([{ action: 'sign-in.failed', userId, email }]);
  expect((await signIn(service, email)).status).toBe(200);
  expect((await stored()).slice(before + 1)).toMatchObject([{ action: 'sign-in.succeeded', userId, email }]);
});
