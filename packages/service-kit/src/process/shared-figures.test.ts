import { expect, it } from '@jest/globals';
import { createSharedFigures } from './shared-figures.ts';

it('createSharedFigures computes a figure once for all callers that arrive during a computation, and returns no value older than a request', async () => {
  const share = createSharedFigures<number>();
  const firstComputation = Promise.withResolvers<void>();
  let computations = 0;
  const compute = async () => {
    computations += 1;
    const value = computations;
    await firstComputation.promise;
    return value;
  };
  const firstResult = share('total', compute);
  const otherResults = Array.from({ length: 50 }, () => share('total', compute));
  expect(computations).toBe(1);
  firstComputation.resolve();
  expect(await firstResult).toBe(1);
  expect(new Set(await Promise.all(otherResults))).toEqual(new Set([2]));
  expect(computations).toBe(2);
});

it('createSharedFigures retries after a failure, and keeps figures of different keys separate', async () => {
  const share = createSharedFigures<number>();
  await expect(share('total', () => Promise.reject(new Error('unavailable')))).rejects.toThrow('unavailable');
  expect(await Promise.all([share('total', async () => 7), share('today', async () => 2)])).toEqual([7, 2]);
});
