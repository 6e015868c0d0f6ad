/** Returns the shortest CPU time of several runs in milliseconds, which other processes hardly affect. */
export async function shortestCpuTime(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return Math.min(...times);
}
