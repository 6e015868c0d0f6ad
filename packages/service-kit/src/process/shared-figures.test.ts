import { expect, it } from '@jest/globals';
import { createSharedFigures } from './shared-figures.ts';

it('computes a figure once for all callers that arrive during a computation, never returning a value older than their request', async () => {
  const share = createSharedFigures<number>();
  const running = Promise.withResolvers<void>();
  let computations = 0;
  const compute = async () => {
    computations += 1;
    const value = computations;
    await running.promise;
    return value;
  };
  const first = share('total', compute);
  const others = Array.from({ length: 50 }, () => share('total', compute));
  expect(computations).toBe(1);
  running.resolve();
  expect(await first).toBe(1);
  expect(new Set(await Promise.all(others))).toEqual(new Set([2]));
  expect(computations).toBe(2);
});

it('retries after a failure, and keeps figures of different keys separate', async () => {
  const share = createSharedFigures<number>();
  await expect(share('total', () => Promise.reject(new Error('unavailable')))).rejects.toThrow('unavailable');
  expect(await Promise.all([share('total', async () => 7), share('today', async () => 2)])).toEqual([7, 2]);
});
