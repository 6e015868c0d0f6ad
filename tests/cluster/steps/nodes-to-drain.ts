import type { Pod } from '../kubectl.ts';

export type Node = {
  metadata: { name: string };
  spec: { unschedulable?: boolean; taints?: { effect: string }[] };
};

/** A node, and whether its pods can move to another node while it is cordoned. */
export type Drained = { name: string; hasRefuge: boolean };

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
