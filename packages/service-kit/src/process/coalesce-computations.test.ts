import { expect, it } from '@jest/globals';
import { createCoalescer } from './coalesce-computations.ts';

it('createCoalescer computes a value once for all callers that arrive during a computation, and returns no value older than a request', async () => {
  const coalesce = createCoalescer<number>();
  const firstComputation = Promise.withResolvers<void>();
  let computations = 0;
  const compute = async () => {
    computations += 1;
    const value = computations;
    await firstComputation.promise;
    return value;
  };
  const firstResult = coalesce('total', compute);
  const otherResults = Array.from({ length: 50 }, () => coalesce('total', compute));
  expect(computations).toBe(1);
  firstComputation.resolve();
  expect(await firstResult).toBe(1);
  expect(new Set(await Promise.all(otherResults))).toEqual(new Set([2]));
  expect(computations).toBe(2);
});

it('createCoalescer retries after a failure, and keeps values of different keys separate', async () => {
  const coalesce = createCoalescer<number>();
  await expect(coalesce('total', () => Promise.reject(new Error('unavailable')))).rejects.toThrow('unavailable');
  expect(await Promise.all([coalesce('total', async () => 7), coalesce('today', async () => 2)])).toEqual([7, 2]);
});
