import type { LoadWorkspace } from './virtual-users.ts';

export const formatCores = (cores: Record<string, number>) =>
  Object.entries(cores)
    .map(([name, used]) => `${name} ${used.toFixed(2)}`)
    .join(', ');

/** Measures the CPU use of each process from now on, in cores. All browsers run in this process. */
export function createCpuMeter({ processes }: LoadWorkspace) {
  const readCpuSeconds = (): Record<string, number> => {
    const { user, system } = process.cpuUsage();
    const others = Object.entries(processes()).map(([name, measured]) => [name, measured.cpuSeconds()]);
    return { ...Object.fromEntries(others), 'all browsers': (user + system) / 1_000_000 };
  };
  const before = readCpuSeconds();
  const startedAt = performance.now();
  return {
    cores(): Record<string, number> {
      const elapsedSeconds = (performance.now() - startedAt) / 1_000;
      return Object.fromEntries(
        Object.entries(readCpuSeconds()).map(([name, seconds]) => [
          name,
          (seconds - (before[name] ?? 0)) / elapsedSeconds,
        ]),
      );
    },
  };
}
