import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { buildUser } from '../../../test/a-person.ts';
import { currentSession, loadProfile } from './session.ts';
import { clearTokens, storeTokens } from './tokens.ts';

const original = globalThis.fetch;
let answers: (() => Response)[];
let asked: number;

beforeEach(() => {
  jest.useFakeTimers();
  [answers, asked] = [[], 0];
  globalThis.fetch = async () => {
    asked += 1;
    return answers.shift()?.() ?? refusal(503);
  };
  storeTokens({ accessToken: 'a', refreshToken: 'r' });
});

afterEach(() => {
  clearTokens();
  globalThis.fetch = original;
  jest.useRealTimers();
});

const profile = (role: 'member' | 'admin') => () => new Response(JSON.stringify({ ...buildUser('a'), role }));
const refusal = (status: number) => new Response(JSON.stringify({ code: 'some', message: 'Not now' }), { status });
const role = () => {
  const session = currentSession();
  return session.state === 'authenticated' ? session.user.role : session.state;
};

it('shows somebody as they were until it is known what they are now, which is asked for until it comes', async () => {
  answers = [profile('member')];
  await loadProfile();
  expect(role()).toBe('member');
  answers = [() => refusal(503), () => refusal(503), profile('admin')];
  await loadProfile();
  expect(role()).toBe('member');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(role()).toBe('admin');
  const before = asked;
  await jest.advanceTimersByTimeAsync(600_000);
  expect(asked).toBe(before);
});

it('asks for nothing that is refused for good', async () => {
  answers = [profile('member')];
  await loadProfile();
  answers = [() => refusal(403)];
  await loadProfile();
  await jest.advanceTimersByTimeAsync(600_000);
  expect([role(), asked]).toEqual(['member', 2]);
});
