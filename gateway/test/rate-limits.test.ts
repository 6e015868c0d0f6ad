import { testRedis } from '@atrium/test-kit/backing-servers';
import { freePort } from '@atrium/test-kit/free-port';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPair, SignJWT } from 'jose';
import { parseJson, type RawResponse, sendRequest } from './raw-http.ts';
import { readMetric } from './read-metric.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

let gateway: TestGateway;
let redis: { url: string; prefix: string };
let prefixCount = 0;
beforeAll(async () => {
  redis = await testRedis();
  gateway = await startTestGateway({ REDIS_URL: redis.url, REDIS_PREFIX: redis.prefix });
});
afterAll(() => gateway.close());

const startWithFreshLimits = (overrides: Record<string, string>) => {
  prefixCount += 1;
  return gateway.startAnother({ REDIS_PREFIX: `${redis.prefix}_${prefixCount}`, ...overrides });
};

async function countStatuses(requestCount: number, call: () => Promise<RawResponse>): Promise<Record<number, number>> {
  const responses = await Promise.all(Array.from({ length: requestCount }, call));
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('rate limits', () => {
  it('limit requests per minute of an address without a token, with Retry-After', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_PER_IP: '20' });
    expect(await countStatuses(25, () => sendRequest(url, { path: '/api/users' }))).toEqual({ 200: 20, 429: 5 });
    const rejectedResponse = await sendRequest(url, { path: '/api/users' });
    expect(parseJson(rejectedResponse)).toEqual({
      message: 'Too many requests. Please try again in a moment.',
      code: 'rate_limited',
      requestId: rejectedResponse.headers['x-request-id'],
    });
    expect(Number(rejectedResponse.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(rejectedResponse.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('are separate for each signed-in user, regardless of address', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_PER_IP: '1', RATE_LIMIT_PER_USER: '10' });
    for (const userId of ['a', 'b']) {
      const authorization = `Bearer ${await gateway.sign(userId)}`;
      const call = () => sendRequest(url, { path: '/api/projects', headers: { authorization } });
      expect(await countStatuses(12, call)).toEqual({ 200: 10, 429: 2 });
    }
  });

  it('are separate for each unsubscribe link, even from one address', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_SIGN_IN: '3', RATE_LIMIT_PER_IP: '100' });
    for (const token of ['a', 'b']) {
      const call = () => sendRequest(url, { method: 'POST', path: `/unsubscribe/${token}` });
      expect(await countStatuses(5, call)).toEqual({ 200: 3, 429: 2 });
    }
  });

  it('are separate for each calendar feed, even from one address', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_FEED: '3', RATE_LIMIT_PER_IP: '100' });
    for (const token of ['a'.repeat(43), 'b'.repeat(43)]) {
      const call = () => sendRequest(url, { path: `/api/meetings/feed/${token}.ics` });
      expect(await countStatuses(5, call)).toEqual({ 200: 3, 429: 2 });
    }
    // Requests different encodings of the same URL.
    const requestEncoded = (n: number) =>
      sendRequest(url, { path: `/api/meetings/feed/${'c'.repeat(n)}%63${'c'.repeat(42 - n)}.ics` });
    const responses = await Promise.all([0, 1, 2, 3, 4].map(requestEncoded));
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(2);
  });

  it('are shared by all tokens of a user', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_PER_USER: '4' });
    const results = [];
    for (let n = 0; n < 6; n += 1) {
      const authorization = `Bearer ${await gateway.sign('many-tokens')}`;
      results.push((await sendRequest(url, { path: '/api/projects', headers: { authorization } })).status);
    }
    expect(results).toEqual([200, 200, 200, 200, 429, 429]);
  });

  it('cannot be used up for another user with a forged token', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_PER_USER: '5', RATE_LIMIT_PER_IP: '8' });
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    const forgedToken = await new SignJWT({ sid: 's' })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'test', typ: 'at+jwt' })
      .setSubject('victim')
      .setIssuer('atrium')
      .setAudience('atrium-api')
      .setExpirationTime('15m')
      .sign(privateKey);
    const attack = () =>
      sendRequest(url, { path: '/api/projects', headers: { authorization: `Bearer ${forgedToken}` } });
    expect(await countStatuses(20, attack)).toEqual({ 200: 8, 429: 12 });
    const authorization = `Bearer ${await gateway.sign('victim')}`;
    expect((await sendRequest(url, { path: '/api/projects', headers: { authorization } })).status).toBe(200);
  });

  it('are stricter for sign-in, regardless of the spelling of the path, and do not affect signed-in users', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_SIGN_IN: '3' });
    const signIn = (path: string) => sendRequest(url, { method: 'POST', path, body: '{}' });
    const responses = [];
    for (const path of [
      '/api/auth/login',
      '/api/auth/LOGIN',
      '/api/auth/login/',
      '/api/auth/login',
      '/api/auth/reset-password',
    ]) {
      responses.push((await signIn(path)).status);
    }
    expect(responses).toEqual([200, 200, 200, 429, 429]);
    expect((await signIn('/api/auth/refresh')).status).toBe(200);
    expect((await sendRequest(url, { path: '/api/users' })).status).toBe(200);
  });

  it('count expired tokens for their user, separately from valid ones', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_PER_IP: '1', RATE_LIMIT_PER_USER: '3' });
    const createCall = async (lifeSeconds?: number) => {
      const authorization = `Bearer ${await gateway.sign('sleeper', lifeSeconds)}`;
      return () => sendRequest(url, { path: '/api/projects', headers: { authorization } });
    };
    const day = 86_400;
    expect(await countStatuses(4, await createCall(-day))).toEqual({ 200: 3, 429: 1 });
    expect(await countStatuses(3, await createCall())).toEqual({ 200: 3 });
    // A token so old that its session has expired does not identify a user.
    expect(await countStatuses(2, await createCall(-40 * day))).toEqual({ 200: 1, 429: 1 });
  });

  it('count refreshes per token, so that an office can refresh while a single token cannot flood', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_REFRESH: '2' });
    const refresh = (refreshToken: string) =>
      sendRequest(url, { method: 'POST', path: '/api/auth/refresh', body: JSON.stringify({ refreshToken }) });
    let userNumber = 0;
    expect(await countStatuses(200, () => refresh(`refresh-token-${userNumber++}`))).toEqual({ 200: 200 });
    expect(await countStatuses(4, () => refresh('same-token'))).toEqual({ 200: 2, 429: 2 });
  });

  it('count sign-ins per account and address, so that neighbors do not affect each other', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_SIGN_IN: '2', TRUSTED_PROXIES: '127.0.0.1' });
    const signIn = (email: string, address = '203.0.113.9') =>
      sendRequest(url, {
        method: 'POST',
        path: '/api/auth/login',
        body: JSON.stringify({ email, password: 'Working#Day1' }),
        headers: { 'x-forwarded-for': address },
      });
    let userNumber = 0;
    expect(await countStatuses(200, () => signIn(`person${userNumber++}@example.org`))).toEqual({ 200: 200 });
    expect(await countStatuses(3, () => signIn('victim@example.org'))).toEqual({ 200: 2, 429: 1 });
    expect((await signIn(' Victim@Example.org ')).status).toBe(429);
    expect((await signIn('victim@example.org', '203.0.113.10')).status).toBe(200);
    const body = JSON.stringify({ email: 'victim@example.org', password: 'Working#Day1', device: 'victim-device' });
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    expect((await sendRequest(url, { method: 'POST', path: '/api/auth/login', body, headers })).status).toBe(200);
    // Counts an IPv6 /64 as one client.
    const signInFromNetwork = (host: number) => signIn('other@example.org', `2001:db8:1:2::${host}`);
    let host = 1;
    expect(await countStatuses(3, () => signInFromNetwork(host++))).toEqual({ 200: 2, 429: 1 });
  });

  it('count invitation and reset links per token', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_SIGN_IN: '2' });
    const accept = (token: string) =>
      sendRequest(url, {
        method: 'POST',
        path: '/api/auth/accept-invite',
        body: JSON.stringify({ token, password: 'x' }),
      });
    let link = 0;
    expect(await countStatuses(20, () => accept(`link-${link++}`))).toEqual({ 200: 20 });
    expect(await countStatuses(3, () => accept('same-link'))).toEqual({ 200: 2, 429: 1 });
  });

  it('allow an administrator’s script to invite 500 people in a minute', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_SIGN_IN: '2', RATE_LIMIT_PER_IP: '2' });
    const authorization = `Bearer ${await gateway.sign('administrator')}`;
    let userNumber = 0;
    const paths = ['/api/auth/invite', '/api/auth/invites/65f000000000000000000000/resend', '/api/auth/invites/check'];
    const invite = () => {
      const path = paths[userNumber % paths.length] ?? '';
      const body = JSON.stringify({ email: `new${userNumber++}@example.org` });
      return sendRequest(url, { method: 'POST', path, body, headers: { authorization } });
    };
    for (let batch = 0; batch < 10; batch += 1) expect(await countStatuses(50, invite)).toEqual({ 200: 50 });
  });

  it('apply to guessed accounts even with a user’s token', async () => {
    const { url } = await startWithFreshLimits({ RATE_LIMIT_SIGN_IN: '2' });
    const authorization = `Bearer ${await gateway.sign('insider')}`;
    const guess = () => {
      const body = JSON.stringify({ email: 'boss@example.org', password: 'Guess#1' });
      return sendRequest(url, { method: 'POST', path: '/api/auth/login', body, headers: { authorization } });
    };
    expect(await countStatuses(5, guess)).toEqual({ 200: 2, 429: 3 });
  });

  it('apply to the client behind a trusted proxy, not to a forged address', async () => {
    const behindProxy = await startWithFreshLimits({
      RATE_LIMIT_PER_IP: '2',
      TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
    });
    const requestFrom = (chain: string) =>
      sendRequest(behindProxy.url, { path: '/api/users', headers: { 'x-forwarded-for': chain } });
    // The client wrote the first entry; the proxies of 10.0.0.0/8 added the others.
    expect(await countStatuses(3, () => requestFrom(`${Math.random()}, 203.0.113.5, 10.1.2.3`))).toEqual({
      200: 2,
      429: 1,
    });
    expect((await requestFrom('203.0.113.6, 10.1.2.3')).status).toBe(200);
    expect(gateway.services.users.requests.at(-1)?.headers['x-forwarded-for']).toBe('203.0.113.6');

    const withoutProxy = await startWithFreshLimits({ RATE_LIMIT_PER_IP: '2' });
    let last = 0;
    const requestForged = () => {
      last += 1;
      return sendRequest(withoutProxy.url, { path: '/api/users', headers: { 'x-forwarded-for': `203.0.113.${last}` } });
    };
    expect(await countStatuses(3, requestForged)).toEqual({ 200: 2, 429: 1 });
    // This metric shows operators that a proxy is missing from TRUSTED_PROXIES.
    const metric = { name: 'untrusted_forwarded_requests_total' };
    expect([await readMetric(withoutProxy, metric), await readMetric(behindProxy, metric)]).toEqual([3, 0]);
  });

  it('are shared by all gateways', async () => {
    prefixCount += 1;
    const shared = { REDIS_PREFIX: `${redis.prefix}_${prefixCount}`, RATE_LIMIT_PER_IP: '10' };
    const firstGateway = await gateway.startAnother(shared);
    const secondGateway = await gateway.startAnother(shared);
    expect(await countStatuses(10, () => sendRequest(firstGateway.url, { path: '/api/users' }))).toEqual({ 200: 10 });
    // The first request may pass before the gateways have synced.
    await waitFor(async () => (await sendRequest(secondGateway.url, { path: '/api/users' })).status === 429, {
      description: 'the second gateway to reject',
      intervalMs: 100,
    });
  });

  it('do not apply to the web app or the probes', async () => {
    const { url, internalUrl } = await startWithFreshLimits({ RATE_LIMIT_PER_IP: '1' });
    await countStatuses(3, () => sendRequest(url, { path: '/api/users' }));
    expect(await countStatuses(5, () => sendRequest(url, { path: '/some-page' }))).toEqual({ 404: 5 });
    expect((await sendRequest(internalUrl, { path: '/livez' })).status).toBe(200);
  });

  it('are counted locally while Redis is unavailable, without delaying requests', async () => {
    const { url, internalUrl } = await gateway.startAnother({
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      RATE_LIMIT_PER_IP: '5',
    });
    const startedAt = performance.now();
    expect(await countStatuses(7, () => sendRequest(url, { path: '/api/users' }))).toEqual({ 200: 5, 429: 2 });
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    const ready = await sendRequest(internalUrl, { path: '/readyz' });
    expect(ready.status).toBe(200);
    expect(parseJson(ready)).toEqual({ status: 'degraded', parts: { redis: 'unavailable' } });
  });

  it('apply to the address while token keys are unavailable, without delaying requests', async () => {
    const { url } = await startWithFreshLimits({
      AUTH_JWKS_URL: `http://127.0.0.1:${await freePort()}/keys`,
      RATE_LIMIT_PER_IP: '3',
    });
    const authorization = `Bearer ${await gateway.sign('user-1')}`;
    const startedAt = performance.now();
    const call = () => sendRequest(url, { path: '/api/projects', headers: { authorization } });
    expect(await countStatuses(4, call)).toEqual({ 200: 3, 429: 1 });
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });
});
