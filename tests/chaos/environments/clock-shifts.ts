import { shiftedClock } from '@atrium/test-kit/system/shift-clock';
import type { Place } from '../environment.ts';

const OFF_MS = 10 * 60_000;

/** Of each service, and of the gateway, the first pod's clock is ten minutes ahead and the second one's as much behind. */
export const offClocks: Place = {
  name: 'one whose clocks are ten minutes off',
  lay:
    async () =>
    ({ number, env }) =>
      shiftedClock(number === 1 ? OFF_MS : -OFF_MS, env),
};
