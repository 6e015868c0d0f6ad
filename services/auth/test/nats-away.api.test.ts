import { testNats } from '@atrium/test-kit/backing-servers';
import { layLine } from '@atrium/test-kit/lay-line';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, expect, it } from '@jest/globals';
import { bearer, PASSWORD, refresh, register, type SignedIn, signIn, startAuth } from './factories.ts';

const line = await layLine((await testNats()).url);
const service = await startAuth({ NATS_URL: line.url, DIRECTORY_MAX_AGE_SECONDS: '2' });
afterAll(async () => {
  await service.close();
  await line.close();
});

it('lets nobody in and renews nothing once it has not heard for long whom others have shut out, and loses no session by that', async () => {
  const { user } = await register(service);
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
});
