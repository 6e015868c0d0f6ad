import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { currentToast } from '#ui/overlays/toast.ts';
import { createMembershipToasts } from './membership-toasts.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  dismissToasts();
  jest.useRealTimers();
});

it('membership toasts are combined into one for fifty people', () => {
  const toasts = createMembershipToasts();
  for (let n = 0; n < 50; n += 1) toasts.record('added to', buildUser('a'));
  jest.advanceTimersByTime(500);
  expect(currentToast()?.title).toBe('50 people added to the conversation');
});

it('membership toasts say who has left', () => {
  const toasts = createMembershipToasts();
  toasts.record('left', buildUser('b'));
  jest.advanceTimersByTime(500);
  expect(currentToast()?.title).toBe('B Example left the conversation');
});

it('membership toasts name a single person', () => {
  const toasts = createMembershipToasts();
  toasts.record('removed from', buildUser('b'));
  jest.advanceTimersByTime(500);
  expect(currentToast()?.title).toBe('B Example removed from the conversation');
});
