import type { FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { createFaultyProxies, type FaultyProxies } from '@atrium/test-kit/system/faulty-proxies';
import { PROCESS_NAMES } from '@atrium/test-kit/system/start-cluster';
import type { Environment } from '../environment.ts';

/** Pods per service. */
const PODS = [1, 2] as const;
const SEED = 20_261_122;

const proxiesByPod = new Map<string, FaultyProxies>();
const podKey = (name: string, number: number) => `${name} ${number}`;

/** Every pod reaches its dependencies and the other services through dedicated proxies. */
export const proxiedConnections: Environment = {
  name: 'an environment with a faulty proxy on every connection',
  async prepareCluster(cluster) {
    for (const name of PROCESS_NAMES) {
      for (const number of PODS) {
        const seed = SEED + proxiesByPod.size * 100;
        proxiesByPod.set(podKey(name, number), await createFaultyProxies(name, cluster.envOf(name), { seed }));
      }
    }
    return ({ name, number }) => proxiesByPod.get(podKey(name, number))?.env ?? {};
  },
  async cleanUp() {
    await Promise.all([...proxiesByPod.values()].map((proxies) => proxies.close()));
    proxiesByPod.clear();
  },
};

/** Returns the proxies from the pods of some services to one target. `podNumber` limits them to one pod per service. */
export function proxiesTo(target: string, names: readonly string[], podNumber?: number): FaultyProxy[] {
  const numbers = PODS.filter((number) => podNumber === undefined || number === podNumber);
  return names.flatMap((name) =>
    numbers.map((number) => {
      const proxies = proxiesByPod.get(podKey(name, number));
      if (!proxies) throw new Error(`No proxies for ${name}`);
      return proxies.to(target);
    }),
  );
}
