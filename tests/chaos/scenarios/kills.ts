import { setTimeout as pause } from 'node:timers/promises';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { EVERY_PROCESS } from '@atrium/test-kit/system/start-cluster';
import type { Scenario } from '../scenario.ts';

const DEATHS = 12;
const PAUSE_MS = [1_000, 4_000] as const;

/** Both pods of a service at the same moment. */
const killBoth = (name: string): Scenario => ({
  name: `kill both pods of ${name}`,
  affected: [name],
  async cause({ cluster }) {
    for (const { part } of cluster.pods(name)) part.kill('SIGKILL');
    return async () => undefined;
  },
});

/** Any pod at any moment, one after the other, whether the one before is back or not. */
const killAtRandom = (seed: number): Scenario => ({
  name: 'kill pods at random',
  affected: ['gateway'],
  async cause({ cluster }) {
    const chance = createSeededRandom(seed);
    const [least, most] = PAUSE_MS;
    for (let death = 0; death < DEATHS; death += 1) {
      const pods = EVERY_PROCESS.flatMap((name) => cluster.pods(name));
      pods[Math.floor(chance() * pods.length)]?.part.kill('SIGKILL');
      await pause(least + chance() * (most - least));
    }
    return async () => undefined;
  },
});

export const killsOf = (seed: number): readonly Scenario[] => [
  killBoth('auth'),
  killBoth('projects'),
  killBoth('chat'),
  killBoth('gateway'),
  killAtRandom(seed),
];
