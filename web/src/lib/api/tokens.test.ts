import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  accessToken,
  clearTokens,
  hasSignedOut,
  onTokensChange,
  refreshToken,
  storeTokens,
  watchTokens,
} from './tokens.ts';

const localStorageDescriptor = Object.getOwnPropertyDescriptor(window, 'localStorage');

/** Simulates a browser that blocks site data. */
beforeEach(() => {
  Object.defineProperty(window, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    },
  });
});

afterEach(() => {
  if (localStorageDescriptor) Object.defineProperty(window, 'localStorage', localStorageDescriptor);
});

it('tokens are kept in memory when the browser blocks storage', () => {
  expect(accessToken()).toBeNull();
  storeTokens({ accessToken: 'a', refreshToken: 'r' });
  expect([accessToken(), refreshToken()]).toEqual(['a', 'r']);
  clearTokens(true);
  expect([accessToken(), refreshToken(), hasSignedOut()]).toEqual([null, null, true]);
});

it('tokens are read again when the browser restores a page from its back-forward cache', () => {
  watchTokens();
  let notificationCount = 0;
  const stop = onTokensChange(() => {
    notificationCount += 1;
  });
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  expect(notificationCount).toBe(0);
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(notificationCount).toBe(1);
  stop();
});
