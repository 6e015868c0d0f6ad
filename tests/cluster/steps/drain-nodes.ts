import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady, type Kubectl, type Pod } from '../kubectl.ts';
import type { Place } from '../step.ts';
import { namesOfSeveral, namesWithout } from './names-without.ts';
import { type Drained, type Node, nodesToDrain } from './nodes-to-drain.ts';

/** An eviction that a budget forbids is asked for again so often by `kubectl drain`, in seconds. */
const PATIENCE = '240s';
/** What is evicted: a store of which there is one takes its node's way (docs/self-hosting/kubernetes.md). */
const COMPONENTS = ['service', 'gateway'];
const SELECTOR = `app.kubernetes.io/part-of=atrium,app.kubernetes.io/component in (${COMPONENTS.join()})`;

const evictable = async (kubectl: Kubectl): Promise<Pod[]> =>
  (await kubectl.pods()).filter(({ metadata }) =>
    COMPONENTS.includes(metadata.labels['app.kubernetes.io/component'] ?? ''),
  );

/**
 * Every node that holds services, one after the other, as an operator does who changes nodes. Pods are evicted as `kubectl drain` does it,
 * and so never more of a service at a time than its budget allows. A pod of many services starts at the same time, which is more than few
 * cores have to give to those at work: what they notice is told, and what is judged is that no service of several pods is ever
 * without one that is ready.
 */
export async function drainNodes(place: Place): Promise<void> {
  const { items } = await place.kubectl.get<{ items: Node[] }>('nodes');
  const nodes = nodesToDrain(items, await evictable(place.kubectl));
  if (nodes.length === 0) throw new Error('no node that takes pods holds a service');
  for (const node of nodes) await drainNode(node, place);
}

async function drainNode(node: Drained, { kubectl, office, judge }: Place): Promise<void> {
  const since = performance.now();
  const before = await evictable(kubectl);
  const old = new Set(before.filter(({ spec }) => spec.nodeName === node.name).map(({ metadata }) => metadata.name));
  let faults: string[] = [];
  const without = await namesWithout(kubectl, namesOfSeveral(before), async () => {
    faults = await evict(kubectl, node);
    const isWhole = async () => {
      const pods = await evictable(kubectl);
      return pods.every((pod) => isReady(pod) && !old.has(pod.metadata.name)) && (await office.isReached());
    };
    await waitFor(isWhole, { what: 'all to be complete again', timeoutMs: 180_000, everyMs: 500 });
  });
  const seconds = ((performance.now() - since) / 1_000).toFixed(0);
  const noticed = `${office.noticed(since).length} noticed it`;
  judge(`${node.name}: ${old.size} pods gone in ${seconds} s; ${noticed}; ${office.tell(since)}`, [
    ...faults,
    ...without.map((name) => `${name} had no pod that was ready`),
  ]);
}

/**
 * Answers what `kubectl drain` complained about. Where its pods have nowhere else to go, the node takes pods again as soon as it has been
 * cordoned: the budgets alone then decide how it goes on.
 */
async function evict(kubectl: Kubectl, { name, hasRefuge }: Drained): Promise<string[]> {
  const options = ['--ignore-daemonsets', '--delete-emptydir-data', '--pod-selector', SELECTOR];
  let hasEnded = false;
  const draining = kubectl
    .run('drain', name, ...options, `--timeout=${PATIENCE}`)
    .then(
      () => [],
      (error: Error) => [error.message.slice(0, 500)],
    )
    .finally(() => {
      hasEnded = true;
    });
  const isCordoned = async () => hasEnded || (await kubectl.get<Node>('node', name)).spec.unschedulable === true;
  try {
    if (!hasRefuge) await waitFor(isCordoned, { what: 'the node to be cordoned', timeoutMs: 30_000, everyMs: 50 });
    else await draining;
  } finally {
    await kubectl.run('uncordon', name);
    await draining;
  }
  return draining;
}
