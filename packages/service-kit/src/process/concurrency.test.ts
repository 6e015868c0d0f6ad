import { expect, it } from '@jest/globals';
import { createKeyedSemaphore } from './concurrency.ts';

it('a keyed semaphore limits the work of each key', async () => {
  const { run, waitingCount } = createKeyedSemaphore(2);
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = [1, 2, 3].map(() => run('ann', () => promise));
  expect([waitingCount('ann'), waitingCount('ben')]).toEqual([1, 0]);
  expect(await run('ben', async () => 'done')).toBe('done');
  await expect(run('ben', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  resolve();
  await Promise.all(running);
  expect(waitingCount('ann')).toBe(0);
});

it('a keyed semaphore limits work that begins while earlier work with the same key ends', async () => {
  const { run, waitingCount } = createKeyedSemaphore(2);
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = [run('ann', async () => {}), run('ann', async () => {})];
  await running[0];
  running.push(...[1, 2, 3].map(() => run('ann', () => promise)));
  await running[1];
  running.push(run('ann', () => promise));
  expect(waitingCount('ann')).toBe(2);
  resolve();
  await Promise.all(running);
});
