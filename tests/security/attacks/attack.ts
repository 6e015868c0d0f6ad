import type { Client } from '../../workspace/workspace.ts';

/** A running Atrium whose gateway trusts `X-Forwarded-For`, and its administrator. */
export type Target = { url: string; admin: Client };

/** A named attack, whose `run` throws if the attack succeeds. */
export type Attack = { name: string; run(target: Target): Promise<void> };

/** Returns the duration of the fastest call in milliseconds, so that other load on the machine does not count. */
export async function measureFastest(call: () => Promise<unknown>, rounds = 5): Promise<number> {
  const durations: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await call();
    durations.push(performance.now() - start);
  }
  return Math.min(...durations);
}
