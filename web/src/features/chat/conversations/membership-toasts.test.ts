import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { buildUser } from '../../../../test/build-user.ts';
import { dismissToasts } from '../../../../test/dismiss-toasts.ts';
import { currentToast } from '../../../ui/overlays/toast.ts';
import { membershipNews } from './membership-toasts.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  dismissToasts();
  jest.useRealTimers();
});

it('shows one toast for fifty people', () => {
  const news = membershipNews();
  for (let n = 0; n < 50; n += 1) news.note('added to', buildUser('a'));
  jest.advanceTimersByTime(500);
  expect(currentToast()?.title).toBe('50 people added to the conversation');
});

it('names a single person, and omits people the user added', () => {
  const news = membershipNews();
  news.note('added to', null);
  news.note('removed from', buildUser('b'));
  jest.advanceTimersByTime(500);
  expect(currentToast()?.title).toBe('B Example removed from the conversation');
});
