/** Returns the shortest CPU time of several runs in milliseconds, which other processes hardly affect. */
export function shortestCpuTime(run: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
