import { describe, expect, it } from '@jest/globals';
import { createSearchSlots, MAX_SEARCHES_PER_USER } from './search-slots.ts';

function createRun(connectionCount: number, { signal } = new AbortController()) {
  const slots = createSearchSlots(connectionCount);
  return <T>(userId: string, search: () => Promise<T>) => slots.run(search, { userId, signal });
}

describe('the slots of searches', () => {
  it('are limited for each user', async () => {
    const run = createRun(20);
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

  it('are half of the connections; others wait', async () => {
    const run = createRun(5);
    const { promise, resolve } = Promise.withResolvers<void>();
    const started: string[] = [];
    const running = ['ann', 'ben', 'cleo'].map((user) =>
      run(user, () => {
        started.push(user);
        return promise;
      }),
    );
    expect(started).toEqual(['ann', 'ben']);
    resolve();
    await Promise.all(running);
    expect(started).toEqual(['ann', 'ben', 'cleo']);
  });

  it('are free for the next search of a user whose earlier searches are canceled while they wait', async () => {
    const slots = createSearchSlots(2);
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = slots.run(() => promise, { userId: 'ben', signal: new AbortController().signal });
    for (let typed = 0; typed < 2 * MAX_SEARCHES_PER_USER; typed += 1) {
      const controller = new AbortController();
      const search = slots.run(async () => 'found', { userId: 'ann', signal: controller.signal });
      controller.abort();
      await expect(search).rejects.toBe(controller.signal.reason);
    }
    const last = slots.run(async () => 'found', { userId: 'ann', signal: new AbortController().signal });
    resolve();
    await running;
    expect(await last).toBe('found');
  });
});
