import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady, type Kubectl, type Pod } from '../kubectl.ts';
import type { StepContext } from '../step.ts';

const LOOK_AGAIN_MS = 250;

const nameOf = ({ metadata }: Pod) => metadata.labels['app.kubernetes.io/name'] ?? '';

/** Services with more than one ready pod; others are unavailable while their only pod moves. */
export function listReplicated(pods: readonly Pod[]): string[] {
  const byName = Map.groupBy(pods.filter(isReady), nameOf);
  return [...byName].filter(([, ready]) => ready.length > 1).map(([name]) => name);
}

/**
 * Polls Deployments while a function runs, and returns the names of those that had no ready pod at any time. Settles when the function does.
 */
export async function findUnavailable(
  { pods }: Pick<Kubectl, 'pods'>,
  names: readonly string[],
  run: () => Promise<void>,
): Promise<string[]> {
  const without = new Set<string>();
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const ready = (await pods()).filter(isReady).map(nameOf);
      for (const name of names) if (!ready.includes(name)) without.add(name);
      await pause(LOOK_AGAIN_MS);
    }
  };
  const running = run().finally(() => {
    isOver = true;
  });
  const ends = await Promise.allSettled([running, watch()]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return [...without];
}

export type Node = {
  metadata: { name: string };
  spec: { unschedulable?: boolean; taints?: { effect: string }[] };
};

/** A node, and whether its pods can move to another node while it is cordoned. */
type Drained = { name: string; hasRefuge: boolean };

const takesPods = ({ spec: { unschedulable, taints = [] } }: Node): boolean =>
  !unschedulable && !taints.some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');

/** Every node with one of these pods. Cordoned nodes are skipped, as their operator intended. */
export function nodesToDrain(nodes: readonly Node[], pods: readonly Pod[]): Drained[] {
  const holding = new Set(pods.map(({ spec }) => spec.nodeName));
  return nodes
    .filter((node) => !node.spec.unschedulable && holding.has(node.metadata.name))
    .map((node) => ({
      name: node.metadata.name,
      hasRefuge: nodes.some((other) => other !== node && takesPods(other)),
    }));
}

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
    await waitFor(isWhole, { description: 'all pods to be ready again', timeoutMs: 180_000, intervalMs: 500 });
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
    if (!hasRefuge)
      await waitFor(isCordoned, { description: 'the node to be cordoned', timeoutMs: 30_000, intervalMs: 50 });
    else await draining;
  } finally {
    await kubectl.run('uncordon', name);
    await draining;
  }
  return draining;
}
