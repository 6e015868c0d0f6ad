import { afterEach, expect, it } from '@jest/globals';
import { createHealth } from './health.ts';

const { now } = Date;
afterEach(() => {
  Date.now = now;
});

it('createHealth checks again after a second, even if the clock was set back', async () => {
  let isThere = true;
  const health = createHealth([
    {
      name: 'store',
      essential: true,
      check: async () => {
        if (!isThere) throw new Error('unavailable');
      },
    },
  ]);
  expect((await health()).status).toBe('ok');
  isThere = false;
  Date.now = () => now() - 600_000;
  const until = performance.now() + 5_000;
  let { status } = await health();
  while (status === 'ok' && performance.now() < until) ({ status } = await health());
  expect(status).toBe('unavailable');
});
