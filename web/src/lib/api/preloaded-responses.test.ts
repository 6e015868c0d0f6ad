import type { getProfile } from '@atrium/proto-events/http/users';
import { expect, it } from '@jest/globals';
import { mockPreload } from '#test/mock-preload.ts';
import { QueryCache } from '../query/query-cache.ts';
import { call, read } from './api.ts';

const PATH = '/projects/stats';

const response = (body: unknown, status = 200) => Promise.resolve(new Response(JSON.stringify(body), { status }));

const load = (preloaded: Record<string, Promise<Response>>, options: { token?: string; ageMs?: number } = {}) =>
  mockPreload({ responses: preloaded, ...options });

it('a preloaded response is used for the first request of its path only', async () => {
  const requests = await load({ [PATH]: response('early'), '/users/profile': response('me') });
  expect(await read(PATH)).toBe('early');
  expect(await call<typeof getProfile>('GET /users/profile', {})).toBe('me');
  expect(requests).toEqual([]);
  expect(await read(PATH)).toBe('late');
  expect(requests).toHaveLength(1);
});

it.each([
  ['failed to load', { [PATH]: Promise.reject(new TypeError('Failed to fetch')) }, {}],
  ['was rejected', { [PATH]: response({ code: 'unauthorized' }, 401) }, {}],
  ['belongs to another user', { [PATH]: response('early') }, { token: 'theirs' }],
  ['is too old', { [PATH]: response('early') }, { ageMs: 11_000 }],
])('a preloaded response is requested again when it %s', async (_label, preloaded, options) => {
  await load(preloaded, options);
  expect(await read(PATH)).toBe('late');
});

it.each([
  ['a server error', 503, 'unavailable'],
  ['a final error', 404, 'not_found'],
])('a preloaded response is not requested again immediately when it was %s', async (_label, status, code) => {
  const requests = await load({ [PATH]: response({ code, message: 'Not now' }, status) });
  await expect(read(PATH)).rejects.toMatchObject({ status, code });
  expect(requests).toEqual([]);
});

it('a preloaded response that timed out is not awaited twice', async () => {
  const requests = await load({ [PATH]: Promise.reject(new DOMException('Timeout', 'TimeoutError')) });
  await expect(read(PATH)).rejects.toMatchObject({ code: 'network' });
  expect(requests).toEqual([]);
});

it('a preloaded response is as old as its request', async () => {
  await load({ [PATH]: response('early') }, { ageMs: 4_000 });
  const cache = new QueryCache();
  const { succeed } = cache.startRequest(PATH);
  succeed(await read(PATH));
  expect(cache.dataAge(PATH)).toBeGreaterThanOrEqual(4_000);
  cache.startRequest(PATH).succeed('late');
  expect(cache.dataAge(PATH)).toBeLessThan(4_000);
});
