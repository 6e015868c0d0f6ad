import type { getProfile } from '@atrium/proto-events/http/users';
import { expect, it } from '@jest/globals';
import { mockPreload } from '../../../test/mock-preload.ts';
import { QueryCache } from '../query/query-cache.ts';
import { call, read } from './api.ts';

const PATH = '/projects/stats';

const answer = (body: unknown, status = 200) => Promise.resolve(new Response(JSON.stringify(body), { status }));

const arrive = (answers: Record<string, Promise<Response>>, how: { token?: string; agoMs?: number } = {}) =>
  mockPreload({ answers, ...how });

it('is the answer to the first question for it, and to that alone', async () => {
  const asked = await arrive({ [PATH]: answer('early'), '/users/profile': answer('me') });
  expect(await read(PATH)).toBe('early');
  expect(await call<typeof getProfile>('GET /users/profile', {})).toBe('me');
  expect(asked).toEqual([]);
  expect(await read(PATH)).toBe('late');
  expect(asked).toHaveLength(1);
});

it.each([
  ['could not be had', { [PATH]: Promise.reject(new TypeError('Failed to fetch')) }, {}],
  ['was refused', { [PATH]: answer({ code: 'unauthorized' }, 401) }, {}],
  ['was asked for by somebody else', { [PATH]: answer('early') }, { token: 'theirs' }],
  ['is too old', { [PATH]: answer('early') }, { agoMs: 11_000 }],
])('is asked for again where it %s', async (_what, answers, how) => {
  await arrive(answers, how);
  expect(await read(PATH)).toBe('late');
});

it.each([
  ['a refusal', 503, 'unavailable'],
  ['one that is final', 404, 'not_found'],
])('is not asked for again at once where it was %s', async (_what, status, code) => {
  const asked = await arrive({ [PATH]: answer({ code, message: 'Not now' }, status) });
  await expect(read(PATH)).rejects.toMatchObject({ status, code });
  expect(asked).toEqual([]);
});

it('is not waited for twice where nobody answers', async () => {
  const asked = await arrive({ [PATH]: Promise.reject(new DOMException('in vain', 'TimeoutError')) });
  await expect(read(PATH)).rejects.toMatchObject({ code: 'network' });
  expect(asked).toEqual([]);
});

it('is as old as its question, not as whoever takes it', async () => {
  await arrive({ [PATH]: answer('early') }, { agoMs: 4_000 });
  const cache = new QueryCache();
  const { finish } = cache.startRequest(PATH);
  await read(PATH);
  finish(true);
  expect(cache.dataAge(PATH)).toBeGreaterThanOrEqual(4_000);
  cache.startRequest(PATH).finish(true);
  expect(cache.dataAge(PATH)).toBeLessThan(4_000);
});
