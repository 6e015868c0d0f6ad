import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnection, sendRequest } from './raw-http.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';
import { sendJson } from './start-upstream.ts';

const ALLOWED_ORIGIN = 'https://friend.example.org';
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ CORS_ORIGINS: ALLOWED_ORIGIN });
});
afterAll(() => gateway.close());

const parsePolicy = (value: unknown) =>
  new Map(
    String(value)
      .split(';')
      .map((directive) => {
        const [name = '', ...sources] = directive.trim().split(' ');
        return [name, sources.join(' ')];
      }),
  );

describe('every response', () => {
  it.each(['/api/users', '/api/nothing', '/no-page', '/metrics'])('carries the security headers: %s', async (path) => {
    const { headers } = await sendRequest(gateway.url, { path });
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    for (const feature of ['camera', 'geolocation', 'payment', 'usb'])
      expect(headers['permissions-policy']).toContain(`${feature}=()`);
    for (const feature of ['clipboard-write', 'fullscreen', 'microphone'])
      expect(headers['permissions-policy']).toContain(`${feature}=(self)`);
    const policy = parsePolicy(headers['content-security-policy']);
    expect(Object.fromEntries(policy)).toMatchObject({
      'default-src': "'self'",
      'script-src': "'self'",
      'script-src-attr': "'none'",
      'connect-src': "'self'",
      'img-src': "'self' data: blob:",
      'media-src': "'self'",
      'font-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    });
    expect(policy.get('style-src')).toMatch(/^'self'( 'sha256-[\w+/=]+')+$/);
    expect(String(headers['content-security-policy'])).not.toMatch(/unsafe|\*|http/);
  });

  it('allows pages only images, media, and fetches from the origin of presigned links', async () => {
    const filesOrigin = 'https://s3.example.org';
    const separateStoreGateway = await gateway.startAnother({ S3_PUBLIC_URL: `${filesOrigin}/` });
    const { headers } = await sendRequest(separateStoreGateway.url, { path: '/no-page' });
    const policy = parsePolicy(headers['content-security-policy']);
    expect([...policy].filter(([, sources]) => sources.includes('s3.example.org'))).toEqual([
      ['img-src', `'self' ${filesOrigin} data: blob:`],
      ['media-src', `'self' ${filesOrigin}`],
      ['connect-src', `'self' ${filesOrigin}`],
    ]);
    await expect(gateway.startAnother({ S3_PUBLIC_URL: 'https://s3.example.org/a-bucket' })).rejects.toThrow(
      'must have no path',
    );
  });

  it('is not cached if it is from the API, unless the service allows revalidation', async () => {
    expect((await sendRequest(gateway.url, { path: '/api/users' })).headers['cache-control']).toBe('no-store');
    expect((await sendRequest(gateway.url, { path: '/api/nothing' })).headers['cache-control']).toBe('no-store');
    expect((await sendRequest(gateway.url, { path: '/API/Users' })).headers['cache-control']).toBe('no-store');
    gateway.services.meetings.respondWith((_req, res) => {
      res.setHeader('Cache-Control', 'private, no-cache');
      sendJson(res, {});
    });
    expect((await sendRequest(gateway.url, { path: '/api/meetings' })).headers['cache-control']).toBe(
      'private, no-cache',
    );
  });
});

describe('HSTS', () => {
  it('is sent if a trusted proxy reports TLS, and not for a forged header', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    expect((await sendRequest(gateway.url, { path: '/', headers })).headers).not.toHaveProperty(
      'strict-transport-security',
    );
    const behindProxy = await gateway.startAnother({ TRUSTED_PROXIES: '127.0.0.1' });
    const response = await sendRequest(behindProxy.url, { path: '/', headers });
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await sendRequest(behindProxy.url, { path: '/' })).headers).not.toHaveProperty('strict-transport-security');
  });

  it('covers subdomains only if configured', async () => {
    const subdomainGateway = await gateway.startAnother({
      TRUSTED_PROXIES: '127.0.0.1',
      HSTS_INCLUDE_SUBDOMAINS: 'true',
    });
    const { headers } = await sendRequest(subdomainGateway.url, {
      path: '/',
      headers: { 'x-forwarded-proto': 'https' },
    });
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });
});

describe('requests from other origins', () => {
  const preflight = (origin: string) =>
    sendRequest(gateway.url, {
      method: 'OPTIONS',
      path: '/api/users',
      headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization' },
    });

  it('get no CORS headers', async () => {
    for (const response of [
      await sendRequest(gateway.url, { path: '/api/users', headers: { origin: 'https://evil.example.org' } }),
      await preflight('https://evil.example.org'),
      await sendRequest(gateway.url, { path: '/api/users', headers: { origin: 'null' } }),
    ]) {
      expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('get CORS headers if configured, without credentials', async () => {
    const preflightResponse = await preflight(ALLOWED_ORIGIN);
    expect(preflightResponse.status).toBe(204);
    expect(preflightResponse.headers).toMatchObject({
      'access-control-allow-origin': ALLOWED_ORIGIN,
      'access-control-allow-methods': expect.stringContaining('PATCH'),
      'access-control-allow-headers': expect.stringContaining('Authorization'),
      vary: 'Origin',
    });
    const response = await sendRequest(gateway.url, { path: '/api/users', headers: { origin: ALLOWED_ORIGIN } });
    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBe(ALLOWED_ORIGIN);
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

describe('an invalid request', () => {
  it.each([
    ['two lengths', 'POST /api/users HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde'],
    [
      'a length and chunks',
      'POST /api/users HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a bare line feed in a header', 'GET /api/users HTTP/1.1\r\nHost: a\r\nX-A: b\nX-C: d\r\n\r\n'],
    ['no host', 'GET /api/users HTTP/1.1\r\n\r\n'],
    ['headers without end', `GET /api/users HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('is rejected before it reaches a service: %s', async (_problem, text) => {
    const requestsBefore = gateway.services.users.requests.length;
    const { socket, received, closed } = await openConnection(gateway.url);
    socket.write(text);
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(gateway.services.users.requests.length).toBe(requestsBefore);
  });
});
