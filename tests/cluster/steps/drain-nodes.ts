import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady, type Kubectl, type Pod } from '../kubectl.ts';
import type { StepContext } from '../step.ts';
import { findUnavailable, listReplicated } from './find-unavailable.ts';
import { type Drained, type Node, nodesToDrain } from './nodes-to-drain.ts';

/** How long `kubectl drain` retries evictions that a disruption budget forbids. */
const DRAIN_TIMEOUT = '240s';
/** Evicted components. A single store moves with its node (docs/self-hosting/kubernetes.md). */
const COMPONENTS = ['service', 'gateway'];
const SELECTOR = `app.kubernetes.io/part-of=atrium,app.kubernetes.io/component in (${COMPONENTS.join()})`;

const evictable = async (kubectl: Kubectl): Promise<Pod[]> =>
  (await kubectl.pods()).filter(({ metadata }) =>
    COMPONENTS.includes(metadata.labels['app.kubernetes.io/component'] ?? ''),
  );

/**
 * Drains every node with services, one at a time, as an operator would. Evictions respect disruption budgets. A pod of many services starts at
 * the same time, which overloads small machines, so failed calls are only printed; the check is that no replicated service is ever without a
 * ready pod.
 */
export async function drainNodes(context: StepContext): Promise<void> {
  const { items } = await context.kubectl.get<{ items: Node[] }>('nodes');
  const nodes = nodesToDrain(items, await evictable(context.kubectl));
  if (nodes.length === 0) throw new Error('No schedulable node has pods of a service');
  for (const node of nodes) await drainNode(node, context);
}

async function drainNode(node: Drained, { kubectl, traffic, report }: StepContext): Promise<void> {
  const since = performance.now();
  const before = await evictable(kubectl);
  const old = new Set(before.filter(({ spec }) => spec.nodeName === node.name).map(({ metadata }) => metadata.name));
  let failures: string[] = [];
  const without = await findUnavailable(kubectl, listReplicated(before), async () => {
    failures = await evict(kubectl, node);
    const isWhole = async () => {
      const pods = await evictable(kubectl);
      return pods.every((pod) => isReady(pod) && !old.has(pod.metadata.name)) && (await traffic.isReached());
    };
    await waitFor(isWhole, { what: 'all pods to be ready again', timeoutMs: 180_000, intervalMs: 500 });
  });
  const seconds = ((performance.now() - since) / 1_000).toFixed(0);
  const noticed = `${traffic.failures(since).length} failures`;
  report(`${node.name}: ${old.size} pods moved in ${seconds} s; ${noticed}; ${traffic.summary(since)}`, [
    ...failures,
    ...without.map((name) => `${name} had no ready pod`),
  ]);
}

/**
 * Returns the errors of `kubectl drain`. If its pods have nowhere else to go, the node is uncordoned as soon as it has been cordoned; the
 * disruption budgets alone then limit the evictions.
 */
async function evict(kubectl: Kubectl, { name, hasRefuge }: Drained): Promise<string[]> {
  const options = ['--ignore-daemonsets', '--delete-emptydir-data', '--pod-selector', SELECTOR];
  let hasEnded = false;
  const draining = kubectl
    .run('drain', name, ...options, `--timeout=${DRAIN_TIMEOUT}`)
    .then(
      () => [],
      (error: Error) => [error.message.slice(0, 500)],
    )
    .finally(() => {
      hasEnded = true;
    });
  const isCordoned = async () => hasEnded || (await kubectl.get<Node>('node', name)).spec.unschedulable === true;
  try {
    if (!hasRefuge) await waitFor(isCordoned, { what: 'the node to be cordoned', timeoutMs: 30_000, intervalMs: 50 });
    else await draining;
  } finally {
    await kubectl.run('uncordon', name);
    await draining;
  }
  return draining;
}
