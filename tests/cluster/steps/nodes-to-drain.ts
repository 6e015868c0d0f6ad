import type { Pod } from '../kubectl.ts';

export type Node = {
  metadata: { name: string };
  spec: { unschedulable?: boolean; taints?: { effect: string }[] };
};

/** A node to drain, and whether its pods have another one to go to while it is cordoned. */
export type Drained = { name: string; hasRefuge: boolean };

const takesPods = ({ spec: { unschedulable, taints = [] } }: Node): boolean =>
  !unschedulable && !taints.some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');

/** Every node that holds one of these pods. One that is cordoned already stays as its operator wants it, and is not drained. */
export function nodesToDrain(nodes: readonly Node[], pods: readonly Pod[]): Drained[] {
  const holding = new Set(pods.map(({ spec }) => spec.nodeName));
  return nodes
    .filter((node) => !node.spec.unschedulable && holding.has(node.metadata.name))
    .map((node) => ({
      name: node.metadata.name,
      hasRefuge: nodes.some((other) => other !== node && takesPods(other)),
    }));
}
