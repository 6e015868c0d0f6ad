import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { buildUser } from '#test/build-user.ts';
import { clearTokens, storeTokens } from '../api/tokens.ts';
import { currentSession, loadProfile } from './session.ts';

const original = globalThis.fetch;
let responses: (() => Response)[];
let requests: number;

beforeEach(() => {
  jest.useFakeTimers();
  responses = [];
  requests = 0;
  globalThis.fetch = async () => {
    requests += 1;
    return responses.shift()?.() ?? errorResponse(503);
  };
  storeTokens({ accessToken: 'a', refreshToken: 'r' });
});

afterEach(() => {
  clearTokens();
  globalThis.fetch = original;
  jest.useRealTimers();
});

const profile = (role: 'member' | 'admin') => () => new Response(JSON.stringify({ ...buildUser('a'), role }));
const errorResponse = (status: number) =>
  new Response(JSON.stringify({ code: 'some', message: 'Not now' }), { status });
const currentRole = () => {
  const session = currentSession();
  return session.state === 'authenticated' ? session.user.role : session.state;
};

it('the session keeps the previous profile until the new one has loaded, and retries until then', async () => {
  responses = [profile('member')];
  await loadProfile();
  expect(currentRole()).toBe('member');
  responses = [() => errorResponse(503), () => errorResponse(503), profile('admin')];
  await loadProfile();
  expect(currentRole()).toBe('member');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(currentRole()).toBe('admin');
  const requestsAfterSuccess = requests;
  await jest.advanceTimersByTimeAsync(600_000);
  expect(requests).toBe(requestsAfterSuccess);
});

it('the session does not retry after a final error', async () => {
  responses = [profile('member')];
  await loadProfile();
  responses = [() => errorResponse(403)];
  await loadProfile();
  await jest.advanceTimersByTimeAsync(600_000);
  expect([currentRole(), requests]).toEqual(['member', 2]);
});
