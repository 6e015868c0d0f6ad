import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { accessToken, clearTokens, hasLeft, onTokensChange, refreshToken, storeTokens, watchTokens } from './tokens.ts';

const real = Object.getOwnPropertyDescriptor(window, 'localStorage');

/** As in a browser that keeps site data from pages. */
beforeEach(() => {
  Object.defineProperty(window, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    },
  });
});

afterEach(() => {
  if (real) Object.defineProperty(window, 'localStorage', real);
});

it('lets people sign in for as long as the page is there where the browser blocks its storage', () => {
  expect(accessToken()).toBeNull();
  storeTokens({ accessToken: 'a', refreshToken: 'r' });
  expect([accessToken(), refreshToken()]).toEqual(['a', 'r']);
  clearTokens(true);
  expect([accessToken(), refreshToken(), hasLeft()]).toEqual([null, null, true]);
});

it('looks who is signed in when the browser brings back a page that it had put aside, which heard of no other tab', () => {
  watchTokens();
  let told = 0;
  const stop = onTokensChange(() => {
    told += 1;
  });
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  expect(told).toBe(0);
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(told).toBe(1);
  stop();
});
