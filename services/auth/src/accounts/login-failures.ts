import { createHash } from 'node:crypto';
import { AppError } from '@atrium/service-kit/http/app-error';
import { addressBlock } from '@atrium/service-kit/http/ip-address';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** So many wrong passwords within so many minutes, counted under a key that keeps neither account nor place. */
type Count = { key: Buffer; most: number; minutes: number };

/** Where wrong passwords are counted; a right one clears the first count only. */
export type Guesses = readonly [own: Count, ...shared: Count[]];

const keyOf = (...parts: string[]): Buffer => createHash('sha256').update(parts.join(' ')).digest();

const ownCount = (key: Buffer): Count => ({ key, most: 10, minutes: 15 });

/** Of somebody unknown: for one account from one address, and for that account from all addresses together (decisions, sections 2 and 10). */
export function guessesFrom(email: string, address: string | null): Guesses {
  const account = email.toLowerCase();
  return [
    ownCount(keyOf(account, addressBlock(address ?? ''))),
    { key: keyOf('account', account), most: 100, minutes: 60 },
  ];
}

/** Of a device that signed in to the account before: strangers, at the same address or at a thousand, do not keep it out. */
export const guessesOnDevice = (email: string, device: string): Guesses => [
  ownCount(keyOf('device', email.toLowerCase(), device)),
];

/** Of whoever has an open session of the account already. */
export const guessesInSession = (sessionId: string): Guesses => [ownCount(keyOf('session', sessionId))];

const RECENT = `array(select at from unnest(f.failed_at) as at where at > now() - make_interval(mins => $3::int) order by at)`;

/** Throws `rate_limited` with the time until the next try is allowed. */
export async function refuseAfterTooMany(db: Queryable, guesses: Guesses): Promise<void> {
  for (const count of guesses) await refuseFull(db, count);
}

async function refuseFull(db: Queryable, { key, most, minutes }: Count): Promise<void> {
  const { rows } = await db.query<{ wait: number }>({
    name: 'login-failures-within',
    text: `select ceil(extract(epoch from recent[cardinality(recent) - $2 + 1] + make_interval(mins => $3::int) - now()))::int as wait
           from (select ${RECENT} as recent from login_failures f where f.key = $1) as found
           where cardinality(recent) >= $2::int`,
    values: [key, most, minutes],
  });
  const [found] = rows;
  if (!found) return;
  throw new AppError('rate_limited', 'Too many failed sign-in attempts. Please try again later.', {
    retryAfterSeconds: Math.max(1, found.wait),
  });
}

/** Counts a failure; throws `rate_limited` when others, tried at the same time, have used up the last one. */
export async function countFailure(db: Queryable, guesses: Guesses): Promise<void> {
  for (const count of guesses) {
    const { rowCount } = await db.query({
      name: 'count-login-failure-within',
      text: `insert into login_failures as f (key, failed_at, last_at) values ($1, array[now()], now())
             on conflict (key) do update set failed_at = ${RECENT} || now(), last_at = now()
             where cardinality(${RECENT}) < $2::int`,
      values: [count.key, count.most, count.minutes],
    });
    if (rowCount === 0) await refuseFull(db, count);
  }
}

/** After a success the own count begins anew; throws `rate_limited` when it came too late for that. */
export async function restartCount(db: Queryable, guesses: Guesses): Promise<void> {
  await refuseAfterTooMany(db, guesses);
  await forgetFailures(db, guesses);
}

export async function forgetFailures(db: Queryable, [{ key }]: Guesses): Promise<void> {
  await db.query({ name: 'forget-login-failures', text: 'delete from login_failures where key = $1', values: [key] });
}
