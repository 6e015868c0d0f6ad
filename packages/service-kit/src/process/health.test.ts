import { afterEach, expect, it } from '@jest/globals';
import { createHealth } from './health.ts';

const { now } = Date;
afterEach(() => {
  Date.now = now;
});

it('createHealth checks again after a second, even if the clock was set back', async () => {
  let isAvailable = true;
  const health = createHealth([
    {
      name: 'store',
      essential: true,
      check: async () => {
        if (!isAvailable) throw new Error('unavailable');
      },
    },
  ]);
  expect((await health()).status).toBe('ok');
  isAvailable = false;
  Date.now = () => now() - 600_000;
  const deadline = performance.now() + 5_000;
  let { status } = await health();
  while (status === 'ok' && performance.now() < deadline) ({ status } = await health());
  expect(status).toBe('unavailable');
});
