import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { buildUser } from '#test/build-user.ts';
import { clearTokens, storeTokens } from '../api/tokens.ts';
import { currentSession, loadProfile } from './session.ts';

const original = globalThis.fetch;
let responses: (() => Response)[];
let requests: number;

beforeEach(() => {
  jest.useFakeTimers();
  [responses, requests] = [[], 0];
  globalThis.fetch = async () => {
    requests += 1;
    return responses.shift()?.() ?? error(503);
  };
  storeTokens({ accessToken: 'a', refreshToken: 'r' });
});

afterEach(() => {
  clearTokens();
  globalThis.fetch = original;
  jest.useRealTimers();
});

const profile = (role: 'member' | 'admin') => () => new Response(JSON.stringify({ ...buildUser('a'), role }));
const error = (status: number) => new Response(JSON.stringify({ code: 'some', message: 'Not now' }), { status });
const role = () => {
  const session = currentSession();
  return session.state === 'authenticated' ? session.user.role : session.state;
};

it('the session keeps the previous profile until the new one has loaded, and retries until then', async () => {
  responses = [profile('member')];
  await loadProfile();
  expect(role()).toBe('member');
  responses = [() => error(503), () => error(503), profile('admin')];
  await loadProfile();
  expect(role()).toBe('member');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(role()).toBe('admin');
  const before = requests;
  await jest.advanceTimersByTimeAsync(600_000);
  expect(requests).toBe(before);
});

it('the session does not retry after a final error', async () => {
  responses = [profile('member')];
  await loadProfile();
  responses = [() => error(403)];
  await loadProfile();
  await jest.advanceTimersByTimeAsync(600_000);
  expect([role(), requests]).toEqual(['member', 2]);
});
