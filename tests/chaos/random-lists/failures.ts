import { setTimeout as delay } from 'node:timers/promises';
import type { FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import type { PairsOfPods } from '../start-pairs-of-pods.ts';

export type Failure = { name: string; cause(random: () => number): Promise<void> };

const OUTAGE_MS = 3_000;

export function createFailures({ cluster, proxiesOf }: PairsOfPods): Failure[] {
  const kill = (service: string, index: number) => cluster.pods(service)[index]?.process.kill('SIGKILL');
  const redis = proxiesOf('chat').map((proxies) => proxies.to('redis'));
  const nats = ['chat', 'projects', 'users'].flatMap(proxiesOf).map((proxies) => proxies.to('nats'));
  const during = async (proxies: readonly FaultyProxy[], fail: () => void, random: () => number) => {
    fail();
    await delay(OUTAGE_MS * (0.3 + random()));
    for (const proxy of proxies) proxy.restore();
  };
  const cut = (cutProxies: readonly FaultyProxy[]) => {
    for (const proxy of cutProxies) proxy.cut();
  };
  return [
    { name: 'nothing', cause: async () => undefined },
    { name: 'a pod of chat is killed', cause: async (random) => void kill('chat', random() < 0.5 ? 0 : 1) },
    { name: 'a pod of projects is killed', cause: async (random) => void kill('projects', random() < 0.5 ? 0 : 1) },
    {
      name: 'the connections to NATS are lost',
      cause: (random) => during(nats, () => cut(nats), random),
    },
    {
      name: 'Redis stops responding to a pod',
      cause: (random) => during(redis, () => redis[random() < 0.5 ? 0 : 1]?.stall(), random),
    },
    {
      name: 'both pods of chat are killed',
      cause: async () => {
        kill('chat', 0);
        kill('chat', 1);
      },
    },
    {
      name: 'the connections to Redis are lost',
      cause: (random) => during(redis, () => cut(redis), random),
    },
  ];
}
