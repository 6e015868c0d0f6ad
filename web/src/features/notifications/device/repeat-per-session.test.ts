import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { clearTokens, storeTokens } from '#lib/api/tokens.ts';
import { repeatPerSession } from './repeat-per-session.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: new Date(2026, 10, 30, 12) });
});
afterEach(() => {
  clearTokens();
  jest.useRealTimers();
});

let refreshCount = 0;
function refresh(sessionId: string): void {
  refreshCount += 1;
  const claims = btoa(JSON.stringify({ sub: 'user', sid: sessionId, iat: refreshCount }));
  storeTokens({ accessToken: `header.${claims}.signature`, refreshToken: String(refreshCount) });
}

it('repeatPerSession runs once per session and day, until it is stopped or the user signs out', () => {
  const renew = jest.fn(async () => true);
  refresh('first');
  const stop = repeatPerSession(renew);
  refresh('first');
  expect(renew).toHaveBeenCalledTimes(1);
  refresh('second');
  expect(renew).toHaveBeenCalledTimes(2);
  jest.setSystemTime(new Date(2026, 11, 1, 12));
  refresh('second');
  refresh('second');
  expect(renew).toHaveBeenCalledTimes(3);
  clearTokens();
  expect(renew).toHaveBeenCalledTimes(3);
  stop();
  refresh('third');
  expect(renew).toHaveBeenCalledTimes(3);
});

it('repeatPerSession repeats with the next token what failed', async () => {
  const results = [false, true];
  const renew = jest.fn(async () => results.shift() ?? true);
  refresh('first');
  const stop = repeatPerSession(renew);
  await jest.advanceTimersByTimeAsync(0);
  refresh('first');
  await jest.advanceTimersByTimeAsync(0);
  refresh('first');
  expect(renew).toHaveBeenCalledTimes(2);
  stop();
});
