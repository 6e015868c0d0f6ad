import { describe, expect, it } from '@jest/globals';
import { createSearchSlots, MAX_SEARCHES_PER_USER } from './search-slots.ts';

describe('the slots of searches', () => {
  it('are limited for each user', async () => {
    const slots = createSearchSlots(20);
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = Array.from({ length: MAX_SEARCHES_PER_USER }, () => slots.run('ann', () => promise));
    await expect(slots.run('ann', async () => 'found')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await slots.run('ben', async () => 'found')).toBe('found');
    resolve();
    await Promise.all(running);
    expect(await slots.run('ann', async () => 'found')).toBe('found');
    await expect(slots.run('ann', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await slots.run('ann', async () => 'found')).toBe('found');
  });

  it('are half of the connections; others wait', async () => {
    const slots = createSearchSlots(5);
    const { promise, resolve } = Promise.withResolvers<void>();
    const started: string[] = [];
    const running = ['ann', 'ben', 'cleo'].map((user) =>
      slots.run(user, () => {
        started.push(user);
        return promise;
      }),
    );
    expect(started).toEqual(['ann', 'ben']);
    resolve();
    await Promise.all(running);
    expect(started).toEqual(['ann', 'ben', 'cleo']);
  });
});
