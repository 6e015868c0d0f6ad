import { testRedis } from '@atrium/test-kit/backing-servers';
import { freePort } from '@atrium/test-kit/free-port';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPair, SignJWT } from 'jose';
import { ask, json, type RawAnswer } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

let gateway: TestGateway;
let redis: { url: string; prefix: string };
let prefixes = 0;
beforeAll(async () => {
  redis = await testRedis();
  gateway = await startTestGateway({ REDIS_URL: redis.url, REDIS_PREFIX: redis.prefix });
});
afterAll(() => gateway.close());

const fresh = (extra: Record<string, string>) => {
  prefixes += 1;
  return gateway.another({ REDIS_PREFIX: `${redis.prefix}_${prefixes}`, ...extra });
};

async function statuses(times: number, call: () => Promise<RawAnswer>): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: times }, call));
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('rate limits', () => {
  it('limit requests per minute of an address without a token, with Retry-After', async () => {
    const { url } = await fresh({ RATE_LIMIT_PER_IP: '20' });
    expect(await statuses(25, () => ask(url, { path: '/api/users' }))).toEqual({ 200: 20, 429: 5 });
    const refused = await ask(url, { path: '/api/users' });
    expect(json(refused)).toEqual({
      message: 'Too many requests. Please try again in a moment.',
      code: 'rate_limited',
      requestId: refused.headers['x-request-id'],
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('are separate for each signed-in user, regardless of address', async () => {
    const { url } = await fresh({ RATE_LIMIT_PER_IP: '1', RATE_LIMIT_PER_USER: '10' });
    for (const person of ['a', 'b']) {
      const authorization = `Bearer ${await gateway.sign(person)}`;
      const call = () => ask(url, { path: '/api/projects', headers: { authorization } });
      expect(await statuses(12, call)).toEqual({ 200: 10, 429: 2 });
    }
  });

  it('are separate for each calendar feed, even from one address', async () => {
    const { url } = await fresh({ RATE_LIMIT_FEED: '3', RATE_LIMIT_PER_IP: '100' });
    for (const token of ['a'.repeat(43), 'b'.repeat(43)]) {
      const call = () => ask(url, { path: `/api/meetings/feed/${token}.ics` });
      expect(await statuses(5, call)).toEqual({ 200: 3, 429: 2 });
    }
    // Different encodings of the same URL.
    const written = (n: number) =>
      ask(url, { path: `/api/meetings/feed/${'c'.repeat(n)}%63${'c'.repeat(42 - n)}.ics` });
    const answers = await Promise.all([0, 1, 2, 3, 4].map(written));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  });

  it('are shared by all tokens of a user', async () => {
    const { url } = await fresh({ RATE_LIMIT_PER_USER: '4' });
    const results = [];
    for (let n = 0; n < 6; n += 1) {
      const authorization = `Bearer ${await gateway.sign('many-tokens')}`;
      results.push((await ask(url, { path: '/api/projects', headers: { authorization } })).status);
    }
    expect(results).toEqual([200, 200, 200, 200, 429, 429]);
  });

  it('cannot be used up for another user with a forged token', async () => {
    const { url } = await fresh({ RATE_LIMIT_PER_USER: '5', RATE_LIMIT_PER_IP: '8' });
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    const forged = await new SignJWT({ sid: 's' })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'test', typ: 'at+jwt' })
      .setSubject('victim')
      .setIssuer('atrium')
      .setAudience('atrium-api')
      .setExpirationTime('15m')
      .sign(privateKey);
    const attack = () => ask(url, { path: '/api/projects', headers: { authorization: `Bearer ${forged}` } });
    expect(await statuses(20, attack)).toEqual({ 200: 8, 429: 12 });
    const authorization = `Bearer ${await gateway.sign('victim')}`;
    expect((await ask(url, { path: '/api/projects', headers: { authorization } })).status).toBe(200);
  });

  it('are stricter for sign-in, whatever the spelling of the path, and do not affect signed-in users', async () => {
    const { url } = await fresh({ RATE_LIMIT_SIGN_IN: '3' });
    const signIn = (path: string) => ask(url, { method: 'POST', path, body: '{}' });
    const answers = [];
    for (const path of [
      '/api/auth/login',
      '/api/auth/LOGIN',
      '/api/auth/login/',
      '/api/auth/login',
      '/api/auth/reset-password',
    ]) {
      answers.push((await signIn(path)).status);
    }
    expect(answers).toEqual([200, 200, 200, 429, 429]);
    expect((await signIn('/api/auth/refresh')).status).toBe(200);
    expect((await ask(url, { path: '/api/users' })).status).toBe(200);
  });

  it('count expired tokens for their signer, separately from the current quota', async () => {
    const { url } = await fresh({ RATE_LIMIT_PER_IP: '1', RATE_LIMIT_PER_USER: '3' });
    const asPerson = async (lifeSeconds?: number) => {
      const authorization = `Bearer ${await gateway.sign('sleeper', lifeSeconds)}`;
      return () => ask(url, { path: '/api/projects', headers: { authorization } });
    };
    const day = 86_400;
    expect(await statuses(4, await asPerson(-day))).toEqual({ 200: 3, 429: 1 });
    expect(await statuses(3, await asPerson())).toEqual({ 200: 3 });
    // A token so old that its session has expired identifies nobody.
    expect(await statuses(2, await asPerson(-40 * day))).toEqual({ 200: 1, 429: 1 });
  });

  it('count refreshes per token, so that an office can refresh while a single token cannot flood', async () => {
    const { url } = await fresh({ RATE_LIMIT_REFRESH: '2' });
    const refresh = (refreshToken: string) =>
      ask(url, { method: 'POST', path: '/api/auth/refresh', body: JSON.stringify({ refreshToken }) });
    let person = 0;
    expect(await statuses(200, () => refresh(`of-person-${person++}`))).toEqual({ 200: 200 });
    expect(await statuses(4, () => refresh('the-same'))).toEqual({ 200: 2, 429: 2 });
  });

  it('count sign-ins per account and address, so that neighbors do not affect each other', async () => {
    const { url } = await fresh({ RATE_LIMIT_SIGN_IN: '2', TRUSTED_PROXIES: '127.0.0.1' });
    const signIn = (email: string, address = '203.0.113.9') =>
      ask(url, {
        method: 'POST',
        path: '/api/auth/login',
        body: JSON.stringify({ email, password: 'Working#Day1' }),
        headers: { 'x-forwarded-for': address },
      });
    let person = 0;
    expect(await statuses(200, () => signIn(`person${person++}@example.org`))).toEqual({ 200: 200 });
    expect(await statuses(3, () => signIn('victim@example.org'))).toEqual({ 200: 2, 429: 1 });
    expect((await signIn(' Victim@Example.org ')).status).toBe(429);
    expect((await signIn('victim@example.org', '203.0.113.10')).status).toBe(200);
    const body = JSON.stringify({ email: 'victim@example.org', password: 'Working#Day1', device: 'of-the-victim' });
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    expect((await ask(url, { method: 'POST', path: '/api/auth/login', body, headers })).status).toBe(200);
    // An IPv6 /64 belongs to one client.
    const inNetwork = (host: number) => signIn('other@example.org', `2001:db8:1:2::${host}`);
    let host = 1;
    expect(await statuses(3, () => inNetwork(host++))).toEqual({ 200: 2, 429: 1 });
  });

  it('count invitation and reset links per token', async () => {
    const { url } = await fresh({ RATE_LIMIT_SIGN_IN: '2' });
    const accept = (token: string) =>
      ask(url, { method: 'POST', path: '/api/auth/accept-invite', body: JSON.stringify({ token, password: 'x' }) });
    let link = 0;
    expect(await statuses(20, () => accept(`link-${link++}`))).toEqual({ 200: 20 });
    expect(await statuses(3, () => accept('one-link'))).toEqual({ 200: 2, 429: 1 });
  });

  it('allow an administrator’s script to invite 500 people in a minute', async () => {
    const { url } = await fresh({ RATE_LIMIT_SIGN_IN: '2', RATE_LIMIT_PER_IP: '2' });
    const authorization = `Bearer ${await gateway.sign('administrator')}`;
    let person = 0;
    const paths = ['/api/auth/invite', '/api/auth/invites/65f000000000000000000000/resend', '/api/auth/invites/check'];
    const invite = () => {
      const path = paths[person % paths.length] ?? '';
      const body = JSON.stringify({ email: `new${person++}@example.org` });
      return ask(url, { method: 'POST', path, body, headers: { authorization } });
    };
    for (let batch = 0; batch < 10; batch += 1) expect(await statuses(50, invite)).toEqual({ 200: 50 });
  });

  it('apply to guessed accounts even with a user’s token', async () => {
    const { url } = await fresh({ RATE_LIMIT_SIGN_IN: '2' });
    const authorization = `Bearer ${await gateway.sign('insider')}`;
    const guess = () => {
      const body = JSON.stringify({ email: 'boss@example.org', password: 'Guess#1' });
      return ask(url, { method: 'POST', path: '/api/auth/login', body, headers: { authorization } });
    };
    expect(await statuses(5, guess)).toEqual({ 200: 2, 429: 3 });
  });

  it('apply to the client behind a trusted proxy, not to a forged address', async () => {
    const open = await fresh({ RATE_LIMIT_PER_IP: '2', TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });
    const from = (chain: string) => ask(open.url, { path: '/api/users', headers: { 'x-forwarded-for': chain } });
    // The client wrote the first entry; the proxies of 10.0.0.0/8 added the others.
    expect(await statuses(3, () => from(`${Math.random()}, 203.0.113.5, 10.1.2.3`))).toEqual({ 200: 2, 429: 1 });
    expect((await from('203.0.113.6, 10.1.2.3')).status).toBe(200);
    expect(gateway.services.users.requests.at(-1)?.headers['x-forwarded-for']).toBe('203.0.113.6');

    const closed = await fresh({ RATE_LIMIT_PER_IP: '2' });
    let last = 0;
    const pretend = () => {
      last += 1;
      return ask(closed.url, { path: '/api/users', headers: { 'x-forwarded-for': `203.0.113.${last}` } });
    };
    expect(await statuses(3, pretend)).toEqual({ 200: 2, 429: 1 });
    // This metric shows operators that a proxy is missing from TRUSTED_PROXIES.
    const counted = async ({ internalUrl }: { internalUrl: string }) =>
      /^untrusted_forwarded_requests_total\S* (\d+)$/m.exec(
        (await ask(internalUrl, { path: '/metrics' })).body.toString(),
      )?.[1];
    expect([await counted(closed), await counted(open)]).toEqual(['3', '0']);
  });

  it('are shared by all gateways', async () => {
    prefixes += 1;
    const shared = { REDIS_PREFIX: `${redis.prefix}_${prefixes}`, RATE_LIMIT_PER_IP: '10' };
    const one = await gateway.another(shared);
    const two = await gateway.another(shared);
    expect(await statuses(10, () => ask(one.url, { path: '/api/users' }))).toEqual({ 200: 10 });
    // The first request may pass before the gateways have synced.
    await waitFor(async () => (await ask(two.url, { path: '/api/users' })).status === 429, {
      what: 'the other gateway to reject',
      intervalMs: 100,
    });
  });

  it('do not apply to the web app or the probes', async () => {
    const { url, internalUrl } = await fresh({ RATE_LIMIT_PER_IP: '1' });
    await statuses(3, () => ask(url, { path: '/api/users' }));
    expect(await statuses(5, () => ask(url, { path: '/some-page' }))).toEqual({ 404: 5 });
    expect((await ask(internalUrl, { path: '/livez' })).status).toBe(200);
  });

  it('are counted locally while Redis is unavailable, without delaying requests', async () => {
    const { url, internalUrl } = await gateway.another({
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      RATE_LIMIT_PER_IP: '5',
    });
    const start = performance.now();
    expect(await statuses(7, () => ask(url, { path: '/api/users' }))).toEqual({ 200: 5, 429: 2 });
    expect(performance.now() - start).toBeLessThan(30_000);
    const ready = await ask(internalUrl, { path: '/readyz' });
    expect(ready.status).toBe(200);
    expect(json(ready)).toEqual({ status: 'degraded', parts: { redis: 'unavailable' } });
  });

  it('apply to the address while token keys are unavailable, without delaying requests', async () => {
    const { url } = await fresh({
      AUTH_JWKS_URL: `http://127.0.0.1:${await freePort()}/keys`,
      RATE_LIMIT_PER_IP: '3',
    });
    const authorization = `Bearer ${await gateway.sign('somebody')}`;
    const start = performance.now();
    const call = () => ask(url, { path: '/api/projects', headers: { authorization } });
    expect(await statuses(4, call)).toEqual({ 200: 3, 429: 1 });
    expect(performance.now() - start).toBeLessThan(30_000);
  });
});
