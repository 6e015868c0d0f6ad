import { afterEach, expect, it } from '@jest/globals';
import { createHealth } from './health.ts';

const { now } = Date;
afterEach(() => {
  Date.now = now;
});

it('asks again after a second, also when somebody has set the clock back in between', async () => {
  let isThere = true;
  const health = createHealth([
    {
      name: 'store',
      essential: true,
      check: async () => {
        if (!isThere) throw new Error('it is away');
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
