import type { FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { createFaultyProxies, type FaultyProxies } from '@atrium/test-kit/system/faulty-proxies';
import { EVERY_PROCESS } from '@atrium/test-kit/system/start-cluster';
import type { Environment } from '../environment.ts';

/** Pods per service. */
const PODS = [1, 2] as const;
const SEED = 20_261_122;

const proxiesByPod = new Map<string, FaultyProxies>();
const keyOf = (name: string, number: number) => `${name} ${number}`;

/** Every pod reaches its dependencies and the other services through dedicated proxies. */
export const proxiedConnections: Environment = {
  name: 'an environment with a faulty proxy on every connection',
  async prepareCluster(cluster) {
    for (const name of EVERY_PROCESS) {
      for (const number of PODS) {
        const seed = SEED + proxiesByPod.size * 100;
        proxiesByPod.set(keyOf(name, number), await createFaultyProxies(name, cluster.envOf(name), { seed }));
      }
    }
    return ({ name, number }) => proxiesByPod.get(keyOf(name, number))?.env ?? {};
  },
  async cleanUp() {
    await Promise.all([...proxiesByPod.values()].map((lines) => lines.close()));
    proxiesByPod.clear();
  },
};

/** The proxies between the pods of the given services and one target; of a single pod if `only` is set. */
export function proxiesTo(target: string, names: readonly string[], only?: number): FaultyProxy[] {
  const numbers = PODS.filter((number) => only === undefined || number === only);
  return names.flatMap((name) =>
    numbers.map((number) => {
      const lines = proxiesByPod.get(keyOf(name, number));
      if (!lines) throw new Error(`No proxies for ${name}`);
      return lines.to(target);
    }),
  );
}
