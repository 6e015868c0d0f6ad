import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady, type Kubectl, type Pod } from '../kubectl.ts';
import type { StepContext } from '../step.ts';

const POLL_INTERVAL_MS = 250;

const nameOf = ({ metadata }: Pod) => metadata.labels['app.kubernetes.io/name'] ?? '';

/** Lists services with more than one ready pod; others are unavailable while their only pod moves. */
export function listReplicated(pods: readonly Pod[]): string[] {
  const byName = Map.groupBy(pods.filter(isReady), nameOf);
  return [...byName].filter(([, ready]) => ready.length > 1).map(([name]) => name);
}

/**
 * Polls Deployments while a function runs, and returns the names of those that had no ready pod at some point. Settles
 * when the function does.
 */
export async function findUnavailable(
  { pods }: Pick<Kubectl, 'pods'>,
  names: readonly string[],
  run: () => Promise<void>,
): Promise<string[]> {
  const unavailable = new Set<string>();
  let hasEnded = false;
  const watch = async () => {
    while (!hasEnded) {
      const ready = (await pods()).filter(isReady).map(nameOf);
      for (const name of names) if (!ready.includes(name)) unavailable.add(name);
      await delay(POLL_INTERVAL_MS);
    }
  };
  const running = run().finally(() => {
    hasEnded = true;
  });
  const results = await Promise.allSettled([running, watch()]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return [...unavailable];
}

export type Node = {
  metadata: { name: string };
  spec: { unschedulable?: boolean; taints?: { effect: string }[] };
};

/** A node, and whether its pods can move to another node while it is cordoned. */
type DrainTarget = { name: string; hasRefuge: boolean };

const acceptsPods = ({ spec: { unschedulable, taints = [] } }: Node): boolean =>
  !unschedulable && !taints.some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');

/** Returns every node with one of these pods, except cordoned nodes, which an operator has excluded on purpose. */
export function nodesToDrain(nodes: readonly Node[], pods: readonly Pod[]): DrainTarget[] {
  const nodesWithPods = new Set(pods.map(({ spec }) => spec.nodeName));
  return nodes
    .filter((node) => !node.spec.unschedulable && nodesWithPods.has(node.metadata.name))
    .map((node) => ({
      name: node.metadata.name,
      hasRefuge: nodes.some((other) => other !== node && acceptsPods(other)),
    }));
}

/** How long `kubectl drain` retries evictions that a disruption budget forbids. */
const DRAIN_TIMEOUT = '240s';
/** Evicted components. A single store moves with its node (docs/self-hosting/kubernetes.md). */
const COMPONENTS = ['service', 'gateway'];
const SELECTOR = `app.kubernetes.io/part-of=atrium,app.kubernetes.io/component in (${COMPONENTS.join()})`;

const listEvictable = async (kubectl: Kubectl): Promise<Pod[]> =>
  (await kubectl.pods()).filter(({ metadata }) =>
    COMPONENTS.includes(metadata.labels['app.kubernetes.io/component'] ?? ''),
  );

/**
 * Drains every node with services, one at a time, as an operator would. Evictions respect disruption budgets. Pods of
 * many services start at the same time, which overloads small machines, so failed calls are only printed. The check is
 * that no replicated service is ever without a ready pod.
 */
export async function drainNodes(context: StepContext): Promise<void> {
  const { items } = await context.kubectl.get<{ items: Node[] }>('nodes');
  const nodes = nodesToDrain(items, await listEvictable(context.kubectl));
  if (nodes.length === 0) throw new Error('No schedulable node has pods of a service');
  for (const node of nodes) await drainNode(node, context);
}

async function drainNode(node: DrainTarget, { kubectl, traffic, report }: StepContext): Promise<void> {
  const since = performance.now();
  const before = await listEvictable(kubectl);
  const movedPods = new Set(
    before.filter(({ spec }) => spec.nodeName === node.name).map(({ metadata }) => metadata.name),
  );
  let failures: string[] = [];
  const unavailable = await findUnavailable(kubectl, listReplicated(before), async () => {
    failures = await evict(kubectl, node);
    const haveAllPodsMoved = async () => {
      const pods = await listEvictable(kubectl);
      return pods.every((pod) => isReady(pod) && !movedPods.has(pod.metadata.name)) && (await traffic.isReached());
    };
    await waitFor(haveAllPodsMoved, { description: 'all pods to be ready again', timeoutMs: 180_000, intervalMs: 500 });
  });
  const seconds = ((performance.now() - since) / 1_000).toFixed(0);
  const failureText = `${traffic.failures(since).length} failures`;
  report(`${node.name}: ${movedPods.size} pods moved in ${seconds} s; ${failureText}; ${traffic.summary(since)}`, [
    ...failures,
    ...unavailable.map((name) => `${name} had no ready pod`),
  ]);
}

/**
 * Drains a node and returns the errors of `kubectl drain`. If its pods have nowhere else to go, the node is uncordoned
 * as soon as it has been cordoned; only the disruption budgets then limit the evictions.
 */
async function evict(kubectl: Kubectl, { name, hasRefuge }: DrainTarget): Promise<string[]> {
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
