import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady } from '../kubectl.ts';
import type { Place } from '../step.ts';

/** An eviction that a budget forbids is asked for again so often by `kubectl drain`, in seconds. */
const PATIENCE = '240s';
const LOOK_AGAIN_MS = 250;

/**
 * Pods are evicted as `kubectl drain` does it, and so never more of a service at a time than its budget allows. With one node there is
 * nowhere to go while it is cordoned, so it takes pods again as soon as the first has gone: the budgets then decide how it goes on.
 * A pod of every service starts there at the same time, which is more than its cores have to give to those at work: what they notice is
 * told, and what is judged is that no service is ever without a pod that is ready.
 */
export async function drainNode({ kubectl, office, judge }: Place): Promise<void> {
  const { items } = await kubectl.get<{ items: { metadata: { name: string } }[] }>('nodes');
  const [node] = items;
  if (!node) throw new Error('the cluster has no node');
  const since = performance.now();
  const names = await kubectl.deployments();
  const before = new Set((await kubectl.pods()).map(({ metadata }) => metadata.name));
  const selector = 'app.kubernetes.io/part-of=atrium,app.kubernetes.io/component in (service,gateway)';
  const options = [
    '--ignore-daemonsets',
    '--delete-emptydir-data',
    '--pod-selector',
    selector,
    `--timeout=${PATIENCE}`,
  ];
  const draining = kubectl.run('drain', node.metadata.name, ...options);
  draining.catch(() => undefined);
  const least = watchLeast(kubectl, names);
  try {
    const isCordoned = async () =>
      (await kubectl.get<{ spec: { unschedulable?: boolean } }>('node', node.metadata.name)).spec.unschedulable ===
      true;
    await waitFor(isCordoned, { what: 'the node to be cordoned', timeoutMs: 30_000, everyMs: 50 });
  } finally {
    await kubectl.run('uncordon', node.metadata.name);
  }
  const said = await draining.then(
    () => [],
    (error: Error) => [error.message.slice(0, 500)],
  );
  const isWhole = async () => {
    const pods = await kubectl.pods();
    const old = pods.filter(
      ({ metadata }) => before.has(metadata.name) && names.includes(metadata.labels['app.kubernetes.io/name'] ?? ''),
    );
    return old.length === 0 && pods.every(isReady);
  };
  await waitFor(isWhole, { what: 'all to be complete again', timeoutMs: 180_000, everyMs: 500 });
  const seconds = ((performance.now() - since) / 1_000).toFixed(0);
  const noticed = `${office.noticed(since).length} noticed it`;
  judge(`drained in ${seconds} s; ${noticed}; ${office.tell(since)}`, [...said, ...(await least.end())]);
}

/** Looks again and again how many pods of each are ready; ends with those of which there was none. */
function watchLeast(kubectl: Place['kubectl'], names: readonly string[]): { end(): Promise<string[]> } {
  const without = new Set<string>();
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const ready = (await kubectl.pods())
        .filter(isReady)
        .map(({ metadata }) => metadata.labels['app.kubernetes.io/name']);
      for (const name of names) if (!ready.includes(name)) without.add(name);
      await pause(LOOK_AGAIN_MS);
    }
  };
  const watching = watch();
  watching.catch(() => undefined);
  return {
    async end() {
      isOver = true;
      await watching;
      return [...without].map((name) => `${name} had no pod that was ready`);
    },
  };
}
