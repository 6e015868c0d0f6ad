import { expect, it } from '@jest/globals';
import { createSearchSlots, MAX_SEARCHES_PER_USER } from './search-slots.ts';

it('the slots of searches are limited for each user', async () => {
  const { run } = createSearchSlots();
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = Array.from({ length: MAX_SEARCHES_PER_USER }, () => run('ann', () => promise));
  await expect(run('ann', async () => 'found')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await run('ben', async () => 'found')).toBe('found');
  resolve();
  await Promise.all(running);
  expect(await run('ann', async () => 'found')).toBe('found');
  await expect(run('ann', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await run('ann', async () => 'found')).toBe('found');
});
