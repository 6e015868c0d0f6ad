import type { SecurityRecord } from '@atrium/proto-events/security-record';
import { testNats } from '@atrium/test-kit/backing-servers';
import { buildUser } from '@atrium/test-kit/build-user';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterEach, expect, it } from '@jest/globals';
import {
  bearer,
  invite,
  PASSWORD,
  postForgotPassword,
  refresh,
  register,
  type SignedIn,
  signIn,
  startAuth,
} from './factories.ts';

const cleanup: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of cleanup.splice(0)) await close();
});

/** Starts the service with NATS behind a proxy that can be cut. */
async function startBehindProxy(env: Record<string, string> = {}) {
  const natsProxy = await createFaultyProxy((await testNats()).url);
  cleanup.unshift(() => natsProxy.close());
  const service = await startAuth({ ...env, NATS_URL: natsProxy.url });
  cleanup.unshift(() => service.close());
  return { natsProxy, service, admin: await register(service) };
}

it('rejects sign-in and refresh while the directory is stale, without losing sessions', async () => {
  const { natsProxy, service, admin } = await startBehindProxy({ DIRECTORY_MAX_AGE_SECONDS: '2' });
  const { user } = admin;
  const { token } = await invite(service, admin);
  const session = (await signIn(service, user.email)).body as SignedIn;
  let { refreshToken } = (await refresh(service, session.refreshToken)).body as SignedIn;

  natsProxy.cut();
  // Refreshing works while the directory is fresh.
  const freshResponse = await refresh(service, refreshToken);
  expect(freshResponse.status).toBe(200);
  ({ refreshToken } = freshResponse.body as SignedIn);
  await waitFor(() => service.running.directory.ageMs() > 2_000, { description: 'the directory to become stale' });
  const staleResponse = await refresh(service, refreshToken);
  expect(staleResponse).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(staleResponse.headers.get('retry-after')).toBe('5');
  expect((await signIn(service, user.email)).status).toBe(503);
  const accept = () => service.call('POST', '/auth/accept-invite', { body: { token, password: PASSWORD } });
  expect(await accept()).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  const body = { currentPassword: PASSWORD, newPassword: 'Another#Horse2' };
  const changeResponse = await service.call('POST', '/auth/change-password', { headers: bearer(session), body });
  expect(changeResponse).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  // The service stays ready, because other services need its keys, and reports the failed check.
  const readiness = await fetch(`${service.url}/readyz`);
  expect([readiness.status, await readiness.json()]).toMatchObject([
    200,
    { status: 'degraded', parts: { 'sign-in': 'unavailable' } },
  ]);
  // Access tokens stay valid until they expire.
  expect((await service.call('GET', '/auth/invites', { headers: bearer(session) })).status).toBe(200);

  natsProxy.restore();
  const renewedSession = await waitFor(
    async () => {
      const response = await refresh(service, refreshToken);
      return response.status === 200 ? (response.body as SignedIn) : undefined;
    },
    { description: 'the session to be refreshed' },
  );
  expect((await refresh(service, renewedSession.refreshToken)).status).toBe(200);
  expect((await accept()).status).toBe(201);
});

it('a sign-in right after accepting an invitation is deferred during a NATS outage, without counting a failure', async () => {
  const { natsProxy, service, admin } = await startBehindProxy();
  // An earlier change of their role has ended their earlier sessions.
  const { token, userId, email } = await invite(service, admin);
  const invitedUser = buildUser({ _id: userId, email, status: 'inactive', sessionsValidAfter: Date.now(), version: 2 });
  service.addToDirectory(invitedUser);

  natsProxy.cut();
  const body = { token, password: PASSWORD };
  const acceptResponse = await service.call('POST', '/auth/accept-invite', { body });
  expect(acceptResponse.status).toBe(201);
  const session = acceptResponse.body as SignedIn;
  const unavailableResponse = { status: 503, body: { code: 'unavailable' } };
  expect(await refresh(service, session.refreshToken)).toMatchObject(unavailableResponse);
  const signInResponses = await Promise.all(Array.from({ length: 12 }, () => signIn(service, email)));
  for (const response of signInResponses) expect(response).toMatchObject(unavailableResponse);
  expect(await service.query('select from login_failures')).toEqual([]);
  // The link is published after the outage, like all events.
  expect((await postForgotPassword(service, email)).status).toBe(202);
  await waitFor(async () => (await service.query('select from reset_requests')).length === 0, {
    description: 'a response',
  });
  expect(await service.query('select from password_resets where user_id = $1', [userId])).toHaveLength(1);

  natsProxy.restore();
  await service.publishUser({ ...invitedUser, status: 'active', version: 3 });
  await waitFor(() => service.running.directory.user(userId)?.status === 'active', {
    description: 'the user to become active',
  });
  expect((await refresh(service, session.refreshToken)).status).toBe(200);
  expect((await signIn(service, email)).status).toBe(200);
  expect((await service.call('GET', '/auth/sessions', { headers: bearer(session) })).status).toBe(200);
});

it('stores the security record of a sign-in before responding, whether it succeeds or fails', async () => {
  const { natsProxy, service, admin } = await startBehindProxy();
  natsProxy.cut();
  const listStoredRecords = async () => {
    const rows = await service.query(`select payload from outbox where subject = 'audit.auth.recorded.v1' order by id`);
    return rows.map(({ payload }) => (JSON.parse(String(payload)) as { data: SecurityRecord }).data);
  };
  const countBefore = (await listStoredRecords()).length;
  const { email, _id: userId } = admin.user;
  const guess = { email, password: 'Wrong#Horse1' };
  expect((await service.call('POST', '/auth/login', { body: guess })).status).toBe(401);
  expect((await listStoredRecords()).slice(countBefore)).toMatchObject([{ action: 'sign-in.failed', userId, email }]);
  expect((await signIn(service, email)).status).toBe(200);
  expect((await listStoredRecords()).slice(countBefore + 1)).toMatchObject([
    { action: 'sign-in.succeeded', userId, email },
  ]);
});
