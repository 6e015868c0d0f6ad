import { setTimeout as delay } from 'node:timers/promises';
import type { System } from '@atrium/dev-server/system/start-system';
import { percentile } from '../figures.ts';
import { ask, count, createNeighbour, type Tally } from './neighbour.ts';
import { seedOffice } from './seed-users.ts';

export type Plan = {
  people: number;
  signInsPerSecond: number;
  renewalsPerSecond: number;
  /** How many laptops wake together, and how fast. */
  laptops: number;
  wakesPerSecond: number;
  /** From how many addresses one account is guessed at. */
  addresses: number;
};

/** What each got, by status. */
export type Outcome = {
  signIns: Tally;
  renewals: Tally;
  waking: Tally;
  signInMs: { median: number; p99: number };
  /** A neighbour who guessed at one account all the while. */
  attacker: Tally;
  /** All those addresses. */
  addresses: Tally;
  /** The owners of both accounts, who signed in on a device of theirs before the guessing and again after it. */
  owners: Tally;
};

const OFFICE = '203.0.113.7';
const GUESS_EVERY_MS = 250;
const AT_ONCE = 20;

/** A Monday in an office behind one address, with an attacker in it, and another with many addresses outside. */
export async function simulateOffice(system: System, plan: Plan, say: (line: string) => void): Promise<Outcome> {
  say(`${plan.people} people …`);
  const emails = await seedOffice(system, plan.people + 2);
  const everybody = emails.map((email) => createNeighbour({ url: system.url, email, address: OFFICE }));
  const [victim, other, ...office] = everybody;
  if (!victim || !other) throw new Error('nobody is there to be guessed at');
  const tallies = { signIns: {}, renewals: {}, waking: {}, attacker: {}, addresses: {}, owners: {} };
  await victim.signIn(tallies.owners);
  await other.signIn(tallies.owners);

  const stop = new AbortController();
  const attack = guessUntil(stop.signal, () => guess(system.url, victim.email, { address: OFFICE }), tallies.attacker);
  try {
    say(`signing in, ${plan.signInsPerSecond} a second …`);
    const took = await paced(office, plan.signInsPerSecond, (one) => one.signIn(tallies.signIns));
    say(`renewing, ${plan.renewalsPerSecond} a second …`);
    await paced(office, plan.renewalsPerSecond, (one) => one.renew(tallies.renewals));
    say(`${plan.laptops} laptops wake …`);
    await paced(office.slice(0, plan.laptops), plan.wakesPerSecond, (one) => one.wake(tallies.waking));
    await victim.signIn(tallies.owners);
    say(`${plan.addresses} addresses guess at one account …`);
    await guessFromEverywhere(system.url, other.email, { addresses: plan.addresses, tally: tallies.addresses });
    await other.signIn(tallies.owners);
    return { ...tallies, signInMs: { median: percentile(took, 0.5), p99: percentile(took, 0.99) } };
  } finally {
    stop.abort();
    await attack;
  }
}

/** Begins the work for each at its time, whether or not the earlier ones have ended, and waits for all. */
async function paced<T, R>(items: readonly T[], perSecond: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const begun = performance.now();
  const running: Promise<R>[] = [];
  for (const [index, item] of items.entries()) {
    const early = (index / perSecond) * 1000 - (performance.now() - begun);
    if (early > 0) await delay(early);
    running.push(work(item));
    // Told when all have ended; until then nobody else would hear of it.
    running.at(-1)?.catch(() => undefined);
  }
  return Promise.all(running);
}

async function guess(url: string, email: string, { address }: { address: string }): Promise<number> {
  const body = { email, password: `Guess#${Math.random()}` };
  return (await ask(url, '/auth/login', { address, body })).status;
}

async function guessUntil(signal: AbortSignal, attempt: () => Promise<number>, tally: Tally): Promise<void> {
  while (!signal.aborted) {
    count(tally, await attempt());
    await delay(GUESS_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** A few at a time, twice from each address. */
async function guessFromEverywhere(
  url: string,
  email: string,
  { addresses, tally }: { addresses: number; tally: Tally },
): Promise<void> {
  const left = Array.from({ length: 2 * addresses }, (_, n) => addressOf(n % addresses));
  const worker = async () => {
    for (let address = left.pop(); address !== undefined; address = left.pop()) {
      count(tally, await guess(url, email, { address }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Of a network that is set aside for measurements (RFC 2544). */
const addressOf = (n: number) => `198.18.${n >> 8}.${n & 255}`;
