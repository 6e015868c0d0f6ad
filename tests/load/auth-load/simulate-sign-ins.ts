import { setTimeout as delay } from 'node:timers/promises';
import type { System } from '@atrium/dev-server/system/start-system';
import { percentile } from '../figures.ts';
import { count, createOfficeUser, sendRequest, type Tally } from './office-user.ts';
import { seedUsers } from './seed-users.ts';

export type Plan = {
  people: number;
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
  signIns: Tally;
  refreshes: Tally;
  wakeUps: Tally;
  signInMs: { median: number; p99: number };
  /** A user of the same office who guesses the password of one account throughout. */
  attacker: Tally;
  /** All guesses from the other addresses. */
  addresses: Tally;
  /** The owners of both accounts, who signed in on a known device before the guessing, and again after it. */
  owners: Tally;
};

const OFFICE_ADDRESS = '203.0.113.7';
const GUESS_EVERY_MS = 250;
const CONCURRENCY = 20;

/** A Monday in an office behind one address, with one attacker inside and another at many outside addresses. */
export async function simulateSignIns(system: System, plan: Plan, say: (line: string) => void): Promise<Outcome> {
  say(`${plan.people} users …`);
  const emails = await seedUsers(system, plan.people + 2);
  const everyone = emails.map((email) => createOfficeUser({ url: system.url, email, address: OFFICE_ADDRESS }));
  const [victim, other, ...officeUsers] = everyone;
  if (!victim || !other) throw new Error('No accounts to attack');
  const tallies = { signIns: {}, refreshes: {}, wakeUps: {}, attacker: {}, addresses: {}, owners: {} };
  await victim.signIn(tallies.owners);
  await other.signIn(tallies.owners);

  const stop = new AbortController();
  const attack = guessUntil(
    stop.signal,
    () => guess(system.url, victim.email, { address: OFFICE_ADDRESS }),
    tallies.attacker,
  );
  try {
    say(`signing in, ${plan.signInsPerSecond} per second …`);
    const durationMs = await runAtRate(officeUsers, plan.signInsPerSecond, (one) => one.signIn(tallies.signIns));
    say(`refreshing, ${plan.refreshesPerSecond} per second …`);
    await runAtRate(officeUsers, plan.refreshesPerSecond, (one) => one.refreshTokens(tallies.refreshes));
    say(`${plan.laptops} laptops wake …`);
    await runAtRate(officeUsers.slice(0, plan.laptops), plan.wakesPerSecond, (one) => one.wake(tallies.wakeUps));
    await victim.signIn(tallies.owners);
    say(`${plan.addresses} addresses guess one password …`);
    await guessFromAddresses(system.url, other.email, { addresses: plan.addresses, tally: tallies.addresses });
    await other.signIn(tallies.owners);
    return { ...tallies, signInMs: { median: percentile(durationMs, 0.5), p99: percentile(durationMs, 0.99) } };
  } finally {
    stop.abort();
    await attack;
  }
}

/** Starts the work for the items at a fixed rate, without waiting for earlier ones, and then waits for all. */
async function runAtRate<T, R>(items: readonly T[], perSecond: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const startedAt = performance.now();
  const running: Promise<R>[] = [];
  for (const [index, item] of items.entries()) {
    const early = (index / perSecond) * 1000 - (performance.now() - startedAt);
    if (early > 0) await delay(early);
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

async function guessUntil(signal: AbortSignal, attempt: () => Promise<number>, tally: Tally): Promise<void> {
  while (!signal.aborted) {
    count(tally, await attempt());
    await delay(GUESS_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** A few at a time, two guesses per address. */
async function guessFromAddresses(
  url: string,
  email: string,
  { addresses, tally }: { addresses: number; tally: Tally },
): Promise<void> {
  const remaining = Array.from({ length: 2 * addresses }, (_, n) => addressOf(n % addresses));
  const worker = async () => {
    for (let address = remaining.pop(); address !== undefined; address = remaining.pop()) {
      count(tally, await guess(url, email, { address }));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** The network reserved for benchmarks (RFC 2544). */
const addressOf = (n: number) => `198.18.${n >> 8}.${n & 255}`;
