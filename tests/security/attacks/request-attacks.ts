import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import type { Endpoint } from '@atrium/proto-events/endpoint';
import { expect } from '@jest/globals';
import { PASSWORD, send } from '../../workspace/workspace.ts';
import type { Attack } from './attack.ts';

export const upperCase: Attack = {
  name: 'a path in a different letter case has the same rate limit and headers',
  async run({ url }) {
    const paths = ['/api/client-errors', '/API/client-errors', '/Api/Client-Errors/'];
    const responses = await Promise.all(
      Array.from({ length: 45 }, (_, n) =>
        send(url + paths[n % paths.length], {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.19.0.1' },
          body: '{"message":"x"}',
        }),
      ),
    );
    const count = (status: number) => responses.filter((response) => response.status === status).length;
    expect([count(204), count(429)]).toEqual([30, 15]);
    expect(responses.map(({ headers }) => headers.get('cache-control'))).toEqual(Array(45).fill('no-store'));
  },
};

export const browserHeaders: Attack = {
  name: 'security headers disable unused browser features and do not affect sibling hosts',
  async run({ url }) {
    const { headers } = await send(`${url}/api/auth/setup`, { headers: { 'x-forwarded-proto': 'https' } });
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(headers.get('permissions-policy')).toMatch(/\bcamera=\(\).*\bgeolocation=\(\)/);
  },
};

export const protocolOffers: Attack = {
  name: 'a request to upgrade to an unsupported protocol gets a normal response',
  async run({ url }) {
    for (const upgrade of ['h2c', 'websocket', 'TLS/1.0']) {
      const req = request(`${url}/api/auth/setup`, { agent: false, headers: { connection: 'Upgrade', upgrade } });
      req.end();
      const [res]: IncomingMessage[] = await once(req, 'response');
      res?.resume();
      expect([upgrade, res?.statusCode]).toEqual([upgrade, 200]);
    }
  },
};

type Sessions = { data: { address: string | null }[] };

export const forwardedPorts: Attack = {
  name: 'a forwarded address with a port is recorded without the port',
  async run({ url, admin }) {
    const recordedAddresses = { '203.0.113.50:4711': '203.0.113.50', '"[2001:db8::50]:443"': '2001:db8::50' };
    for (const [forwarded, address] of Object.entries(recordedAddresses)) {
      const signedIn = await send<{ accessToken: string }>(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
        body: JSON.stringify({ email: admin.email, password: PASSWORD }),
      });
      expect(signedIn.status).toBe(200);
      const authorization = `Bearer ${signedIn.body.accessToken}`;
      const { body } = await send<Sessions>(`${url}/api/auth/sessions`, { headers: { authorization } });
      expect(body.data.map((session) => session.address)).toContain(address);
    }
  },
};

const nest = (levels: number, [open, close]: readonly [string, string]) =>
  `{"deep":${open.repeat(levels)}1${close.repeat(levels)}}`;

/** One endpoint per service that hashes its body for the idempotency key before validation. */
const IDEMPOTENT_ENDPOINTS = ['auth', 'users', 'projects', 'meetings', 'documents', 'chat'].flatMap((name) => {
  const entry = ALL_ENDPOINTS.find(
    ({ service, endpoint }: { service: string; endpoint: Endpoint }) =>
      service === name && endpoint.idempotent === true && endpoint.body !== undefined,
  );
  return entry ? [entry.endpoint as Endpoint] : [];
});

export const deepJson: Attack = {
  name: 'deeply nested JSON is rejected without a server error',
  run: async ({ url, admin }) => {
    expect(IDEMPOTENT_ENDPOINTS.length).toBeGreaterThan(3);
    for (const { method, path } of IDEMPOTENT_ENDPOINTS) {
      for (const pair of [['{"a":', '}'] as const, ['[', ']'] as const]) {
        const response = await send(`${url}/api${path.replaceAll(/:\w+/g, 'a'.repeat(24))}`, {
          method,
          headers: {
            authorization: `Bearer ${admin.token}`,
            'content-type': 'application/json',
            'idempotency-key': `deep ${pair[0]}`,
          },
          body: nest(9_000, pair),
        });
        expect({ path, status: response.status, body: response.body }).toMatchObject({
          status: 400,
          body: { message: ['The request must have at most 64 levels of objects and lists'] },
        });
      }
    }
  },
};
