import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import { useNow } from './use-now.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2026-11-20T09:59:20Z') });
});

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const formatUtcTime = (now: number) => new Date(now).toISOString().slice(11, 16);

it('useNow changes on the minute', () => {
  const { result } = renderHook(useNow);
  act(() => jest.advanceTimersByTime(39_000));
  expect(formatUtcTime(result.current)).toBe('09:59');
  act(() => jest.advanceTimersByTime(1_000));
  expect(formatUtcTime(result.current)).toBe('10:00');
  act(() => jest.advanceTimersByTime(60_000));
  expect(formatUtcTime(result.current)).toBe('10:01');
});

it('useNow updates immediately when a machine wakes up', () => {
  const { result } = renderHook(useNow);
  jest.setSystemTime(new Date('2026-11-20T13:30:05Z'));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(formatUtcTime(result.current)).toBe('13:30');
});

it('useNow stops its timer without subscribers', () => {
  const { unmount } = renderHook(useNow);
  unmount();
  expect(jest.getTimerCount()).toBe(0);
});
