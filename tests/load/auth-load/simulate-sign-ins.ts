import { setTimeout as delay } from 'node:timers/promises';
import type { System } from '@atrium/dev-server/system/start-system';
import { percentile } from '../figures.ts';
import { count, createOfficeUser, type StatusCounts, sendRequest } from './office-user.ts';
import { seedUsers } from './seed-users.ts';

export type Plan = {
  users: number;
  signInsPerSecond: number;
  refreshesPerSecond: number;
  /** How many laptops wake at the same time, and at what rate. */
  laptops: number;
  wakesPerSecond: number;
  /** The number of addresses that guess the password of one account. */
  addresses: number;
};

/** Responses by status. */
export type Outcome = {
  signIns: StatusCounts;
  refreshes: StatusCounts;
  wakeUps: StatusCounts;
  signInMs: { median: number; p99: number };
  /** A user of the same office who guesses the password of one account throughout. */
  attacker: StatusCounts;
  /** All guesses from the other addresses. */
  addresses: StatusCounts;
  /** The owners of both accounts, who signed in on a known device before the guessing, and again after it. */
  owners: StatusCounts;
};

const OFFICE_ADDRESS = '203.0.113.7';
const GUESS_INTERVAL_MS = 250;
const CONCURRENCY = 20;

/**
 * Simulates a Monday in an office behind one address, with an attacker inside and another at many outside addresses.
 */
export async function simulateSignIns(system: System, plan: Plan, print: (line: string) => void): Promise<Outcome> {
  print(`${plan.users} users …`);
  const emails = await seedUsers(system, plan.users + 2);
  const allUsers = emails.map((email) => createOfficeUser({ url: system.url, email, address: OFFICE_ADDRESS }));
  const [insiderVictim, outsiderVictim, ...officeUsers] = allUsers;
  if (!insiderVictim || !outsiderVictim) throw new Error('No accounts to attack');
  const counts = { signIns: {}, refreshes: {}, wakeUps: {}, attacker: {}, addresses: {}, owners: {} };
  await insiderVictim.signIn(counts.owners);
  await outsiderVictim.signIn(counts.owners);

  const stop = new AbortController();
  const attack = guessUntil(
    stop.signal,
    () => guess(system.url, insiderVictim.email, { address: OFFICE_ADDRESS }),
    counts.attacker,
  );
  try {
    print(`signing in, ${plan.signInsPerSecond} per second …`);
    const durationMs = await runAtRate(officeUsers, plan.signInsPerSecond, (user) => user.signIn(counts.signIns));
    print(`refreshing, ${plan.refreshesPerSecond} per second …`);
    await runAtRate(officeUsers, plan.refreshesPerSecond, (user) => user.refreshTokens(counts.refreshes));
    print(`${plan.laptops} laptops wake …`);
    await runAtRate(officeUsers.slice(0, plan.laptops), plan.wakesPerSecond, (user) => user.wake(counts.wakeUps));
    await insiderVictim.signIn(counts.owners);
    print(`${plan.addresses} addresses guess one password …`);
    await guessFromAddresses(system.url, outsiderVictim.email, { addresses: plan.addresses, counts: counts.addresses });
    await outsiderVictim.signIn(counts.owners);
    return { ...counts, signInMs: { median: percentile(durationMs, 0.5), p99: percentile(durationMs, 0.99) } };
  } finally {
    stop.abort();
    await attack;
  }
}

/** Starts work on the items at a fixed rate, without waiting for previous items, and then waits for all. */
async function runAtRate<T, R>(items: readonly T[], perSecond: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const startedAt = performance.now();
  const running: Promise<R>[] = [];
  for (const [index, item] of items.entries()) {
    const waitMs = (index / perSecond) * 1000 - (performance.now() - startedAt);
    if (waitMs > 0) await delay(waitMs);
    running.push(work(item));
    // Rejections are reported by Promise.all below; this prevents an unhandled rejection until then.
    running.at(-1)?.catch(() => undefined);
  }
  return Promise.all(running);
}

async function guess(url: string, email: string, { address }: { address: string }): Promise<number> {
  const body = { email, password: `Guess#${Math.random()}` };
  return (await sendRequest(url, '/auth/login', { address, body })).status;
}

async function guessUntil(signal: AbortSignal, attempt: () => Promise<number>, counts: StatusCounts): Promise<void> {
  while (!signal.aborted) {
    count(counts, await attempt());
    await delay(GUESS_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Makes two guesses per address, a few guesses at a time. */
async function guessFromAddresses(
  url: string,
  email: string,
  { addresses, counts }: { addresses: number; counts: StatusCounts },
): Promise<void> {
  const remaining = Array.from({ length: 2 * addresses }, (_, n) => addressOf(n % addresses));
  const worker = async () => {
    for (let address = remaining.pop(); address !== undefined; address = remaining.pop()) {
      count(counts, await guess(url, email, { address }));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** The network reserved for benchmarks (RFC 2544). */
const addressOf = (n: number) => `198.18.${n >> 8}.${n & 255}`;
