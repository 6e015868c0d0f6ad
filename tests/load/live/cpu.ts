import type { LoadWorkspace } from './virtual-users.ts';

export const detailOf = (cores: Record<string, number>) =>
  Object.entries(cores)
    .map(([name, used]) => `${name} ${used.toFixed(2)}`)
    .join(', ');

/** CPU use of each process from now on, in cores; the browsers are this process. */
export function createCpu({ processes }: LoadWorkspace) {
  const now = (): Record<string, number> => {
    const { user, system } = process.cpuUsage();
    const others = Object.entries(processes()).map(([name, one]) => [name, one.cpuSeconds()]);
    return { ...Object.fromEntries(others), 'all browsers': (user + system) / 1_000_000 };
  };
  const [before, startedAt] = [now(), performance.now()];
  return {
    cores(): Record<string, number> {
      const seconds = (performance.now() - startedAt) / 1_000;
      return Object.fromEntries(
        Object.entries(now()).map(([name, at]) => [name, (at - (before[name] ?? 0)) / seconds]),
      );
    },
  };
}
