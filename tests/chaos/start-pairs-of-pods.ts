import { createFaultyProxies, type FaultyProxies } from '@atrium/test-kit/system/faulty-proxies';
import { type Cluster, PROCESS_NAMES, startCluster } from '@atrium/test-kit/system/start-cluster';
import { createWatchedContext } from '@atrium/test-kit/system/start-system';

export type PairsOfPods = {
  cluster: Cluster;
  /** Returns the proxies of the two pods of a service, in order. */
  proxiesOf(service: string): readonly FaultyProxies[];
  stop(): Promise<void>;
};

/** Starts a cluster with two pods of some services, behind proxies that can fail, and one of every other. */
export async function startPairsOfPods(services: readonly string[], env: Record<string, string>): Promise<PairsOfPods> {
  const watched = createWatchedContext({ env });
  const proxies = new Map<string, FaultyProxies[]>();
  const proxiesOf = (service: string) => proxies.get(service) ?? [];
  let cluster: Cluster | undefined;
  const stop = async () => {
    await cluster?.stop();
    await Promise.all([...proxies.values()].flat().map(({ close }) => close()));
    await watched.context.reaper.close();
    watched.context.ports.release();
  };
  try {
    const started = await startCluster(watched);
    cluster = started;
    const others = PROCESS_NAMES.filter((name) => !services.includes(name));
    await Promise.all(others.map((name) => started.addPod(name)));
    await Promise.all(
      services.map(async (service) => {
        const ofPods = await Promise.all([1, 2].map(() => createFaultyProxies(service, started.envOf(service))));
        proxies.set(service, ofPods);
        await Promise.all(
          ofPods.map((ofPod, index) => started.addPod(service, { title: String(index), env: ofPod.env })),
        );
      }),
    );
    return { cluster: started, proxiesOf, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
