import { createLogger } from '@atrium/service-kit/observe/logger';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { keepComparing } from './keep-comparing.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('compares once more where others were lost again while it compared', async () => {
  let isListening = true;
  let hear = () => {};
  const redis = {
    listening: () => isListening,
    onListening(listener: () => void) {
      hear = listener;
    },
  };
  const comparisons: (() => void)[] = [];
  const compare = () => new Promise<void>((resolve) => comparisons.push(resolve));
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const comparing = keepComparing(redis, compare, createLogger('test', 'silent'));
  const back = async () => {
    isListening = true;
    hear();
    await pass(0);
  };
  const end = async () => {
    comparisons.at(-1)?.();
    await pass(0);
  };

  await back();
  await end();
  expect(comparing.isBehind()).toBe(true);
  // The last one begins, and others are lost for a moment before it has ended: what they said then it has not seen.
  await pass(1_000);
  expect(comparisons).toHaveLength(2);
  isListening = false;
  await back();
  await end();
  expect(comparing.isBehind()).toBe(true);
  await pass(1_000);
  expect(comparisons).toHaveLength(3);
  await end();
  expect(comparing.isBehind()).toBe(false);
  await pass(10_000);
  expect(comparisons).toHaveLength(3);
  comparing.close();
});
