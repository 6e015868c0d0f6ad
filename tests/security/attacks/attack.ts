import type { Client } from '../../flows/workspace.ts';

/** A running Atrium, whose gateway believes `X-Forwarded-For`, and its administrator. */
export type Target = { url: string; admin: Client };

/** Something that an attacker does, which fails by throwing where it succeeds. One file each; `attacks.test.ts` lists them. */
export type Attack = { name: string; run(target: Target): Promise<void> };

/** The milliseconds of the fastest of some calls: what else the machine does is not of the call. */
export async function fastest(call: () => Promise<unknown>, rounds = 5): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}
