import { afterEach, beforeEach, jest } from '@jest/globals';

const ALL_BUT_THE_CLOCK = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

/**
 * Stops the wall clock in each test, which sets it with `jest.setSystemTime`. Timers are real, because servers and
 * networks are. Call it once, at the top level of a file or of a `describe`.
 */
export function fakeClockInEachTest(): void {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: [...ALL_BUT_THE_CLOCK] }));
  afterEach(() => void jest.useRealTimers());
}
