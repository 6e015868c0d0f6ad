import { setTimeout as pause } from 'node:timers/promises';
import { isReady, type Kubectl, type Pod } from '../kubectl.ts';

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
