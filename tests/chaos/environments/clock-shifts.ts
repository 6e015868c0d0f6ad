import { shiftedClock } from '@atrium/test-kit/system/shift-clock';
import type { Environment } from '../environment.ts';

const SHIFT_MS = 10 * 60_000;

/** In every service and in the gateway, the first pod's clock is ten minutes ahead, the second one's ten minutes behind. */
export const shiftedClocks: Environment = {
  name: 'an environment with clocks ten minutes off',
  prepareCluster:
    async () =>
    ({ number, env }) =>
      shiftedClock(number === 1 ? SHIFT_MS : -SHIFT_MS, env),
};
