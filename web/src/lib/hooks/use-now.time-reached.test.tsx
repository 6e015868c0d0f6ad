import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import { useTimeReached } from './use-now.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2026-11-20T09:59:20Z') });
});

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const TIME_IN_70_SECONDS = Date.parse('2026-11-20T10:00:30Z');

it('useTimeReached becomes true to the millisecond', () => {
  const { result } = renderHook(() => useTimeReached(TIME_IN_70_SECONDS));
  act(() => jest.advanceTimersByTime(69_999));
  expect(result.current).toBe(false);
  act(() => jest.advanceTimersByTime(1));
  expect(result.current).toBe(true);
});

it('useTimeReached is true for a time in the past, and false without one', () => {
  expect(renderHook(() => useTimeReached(Date.now() - 1)).result.current).toBe(true);
  expect(renderHook(() => useTimeReached(undefined)).result.current).toBe(false);
});

it('useTimeReached starts over for a different time', () => {
  const { result, rerender } = renderHook(({ at }) => useTimeReached(at), { initialProps: { at: Date.now() - 1 } });
  rerender({ at: TIME_IN_70_SECONDS });
  expect(result.current).toBe(false);
  act(() => jest.advanceTimersByTime(70_000));
  expect(result.current).toBe(true);
});

it('useTimeReached detects the time after sleep when the page becomes visible, or within 30 seconds', () => {
  const { result } = renderHook(() => useTimeReached(TIME_IN_70_SECONDS));
  jest.setSystemTime(TIME_IN_70_SECONDS + 3_600_000);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(result.current).toBe(true);
  const laterTime = renderHook(() => useTimeReached(TIME_IN_70_SECONDS + 4 * 3_600_000));
  jest.setSystemTime(TIME_IN_70_SECONDS + 5 * 3_600_000);
  act(() => jest.advanceTimersByTime(30_000));
  expect(laterTime.result.current).toBe(true);
});

it('useTimeReached stops its timer without subscribers', () => {
  const { unmount } = renderHook(() => useTimeReached(TIME_IN_70_SECONDS));
  unmount();
  expect(jest.getTimerCount()).toBe(0);
});
