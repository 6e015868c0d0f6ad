import { setTimeout as delay } from 'node:timers/promises';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { PROCESS_NAMES } from '@atrium/test-kit/system/start-cluster';
import type { Scenario } from '../scenario.ts';

const KILLS = 12;
const PAUSE_MS = [1_000, 4_000] as const;

const killBoth = (name: string): Scenario => ({
  name: `kill both pods of ${name}`,
  affected: [name],
  async cause({ cluster }) {
    for (const pod of cluster.pods(name)) pod.process.kill('SIGKILL');
    return async () => undefined;
  },
});

/** Kills random pods at random intervals, whether or not the previous one has restarted. */
const killAtRandom = (seed: number): Scenario => ({
  name: 'kill pods at random',
  affected: ['gateway'],
  async cause({ cluster }) {
    const random = createSeededRandom(seed);
    const [minMs, maxMs] = PAUSE_MS;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const pods = PROCESS_NAMES.flatMap((name) => cluster.pods(name));
      pods[Math.floor(random() * pods.length)]?.process.kill('SIGKILL');
      await delay(minMs + random() * (maxMs - minMs));
    }
    return async () => undefined;
  },
});

export const buildKills = (seed: number): readonly Scenario[] => [
  killBoth('auth'),
  killBoth('projects'),
  killBoth('chat'),
  killBoth('gateway'),
  killAtRandom(seed),
];
