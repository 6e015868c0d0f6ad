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

const in70s = Date.parse('2026-11-20T10:00:30Z');

it('useTimeReached becomes true to the millisecond', () => {
  const { result } = renderHook(() => useTimeReached(in70s));
  act(() => jest.advanceTimersByTime(69_999));
  expect(result.current).toBe(false);
  act(() => jest.advanceTimersByTime(1));
  expect(result.current).toBe(true);
});

it('useTimeReached is true for a time in the past, and false without one', () => {
  expect(renderHook(() => useTimeReached(Date.now() - 1)).result.current).toBe(true);
  expect(renderHook(() => useTimeReached(undefined)).result.current).toBe(false);
});

it('useTimeReached starts over for another time', () => {
  const { result, rerender } = renderHook(({ at }) => useTimeReached(at), { initialProps: { at: Date.now() - 1 } });
  rerender({ at: in70s });
  expect(result.current).toBe(false);
  act(() => jest.advanceTimersByTime(70_000));
  expect(result.current).toBe(true);
});

it('useTimeReached detects the time after sleep: when the page becomes visible, or within half a minute', () => {
  const { result } = renderHook(() => useTimeReached(in70s));
  jest.setSystemTime(in70s + 3_600_000);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(result.current).toBe(true);
  const other = renderHook(() => useTimeReached(in70s + 4 * 3_600_000));
  jest.setSystemTime(in70s + 5 * 3_600_000);
  act(() => jest.advanceTimersByTime(30_000));
  expect(other.result.current).toBe(true);
});

it('useTimeReached stops its timer without subscribers', () => {
  const { unmount } = renderHook(() => useTimeReached(in70s));
  unmount();
  expect(jest.getTimerCount()).toBe(0);
});
