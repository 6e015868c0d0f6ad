import { createHash } from 'node:crypto';
import { AppError } from '@atrium/service-kit/http/app-error';
import { addressBlock } from '@atrium/service-kit/http/ip-address';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** So many wrong passwords within so many minutes, counted under a key that keeps neither account nor place. */
type Count = { key: Buffer; most: number; minutes: number };

/** Where wrong passwords are counted; a right one clears the first count only. */
export type LoginAttempts = readonly [own: Count, ...shared: Count[]];

const keyOf = (...parts: string[]): Buffer => createHash('sha256').update(parts.join(' ')).digest();

const ownCount = (key: Buffer): Count => ({ key, most: 10, minutes: 15 });

/**
 * Of somebody unknown: for one account from one address, for that account from all addresses together (decisions, sections 2 and 10), and
 * for an address over all accounts, or one common password would be tried on each.
 */
export function guessesFrom(email: string, address: string | null): LoginAttempts {
  const account = email.toLowerCase();
  return [
    ownCount(keyOf(account, addressBlock(address ?? ''))),
    { key: keyOf('account', account), most: 100, minutes: 60 },
    ...(address === null ? [] : sprayingCounts(address)),
  ];
}

/** Far above the typing errors of an office. Providers give a customer a /56 of IPv6, and a company a /48. */
function sprayingCounts(address: string): Count[] {
  const network = addressBlock(address, 56);
  const site = addressBlock(address, 48);
  return [
    { key: keyOf('address', network), most: 300, minutes: 15 },
    ...(site === network ? [] : [{ key: keyOf('address', site), most: 1_200, minutes: 15 }]),
  ];
}

/** Of a device that signed in to the account before: strangers, at the same address or at a thousand, do not keep it out. */
export const guessesOnDevice = (email: string, device: string): LoginAttempts => [
  ownCount(keyOf('device', email.toLowerCase(), device)),
];

/** Of whoever has an open session of the account already. */
export const guessesInSession = (sessionId: string): LoginAttempts => [ownCount(keyOf('session', sessionId))];

/** In a statement, of a row `f`: the failures of the last minutes, the oldest first. */
const recent = (minutes: string) =>
  `array(select at from unnest(f.failed_at) as at where at > now() - make_interval(mins => ${minutes}) order by at)`;
const RECENT = recent('$3::int');

/** Parameters of a statement that asks how some counts stand, in the order of `standingValues`. */
type Numbers = { keys: string; most: string; minutes: string };

/** In a statement: the seconds until each of some counts takes a try again, null for one that takes it now. */
export const waits = ({ keys, most, minutes }: Numbers): string => `array(
  select (
    select ceil(extract(epoch from recent[cardinality(recent) - asked.most + 1] + make_interval(mins => asked.minutes) - now()))::int
    from (
      select ${recent('asked.minutes')} as recent from login_failures f where f.key = asked.key
    ) as found
    where cardinality(recent) >= asked.most
  )
  from unnest(${keys}::bytea[], ${most}::int[], ${minutes}::int[]) with ordinality as asked (key, most, minutes, place) order by place
)`;

export const standingValues = (counts: readonly Count[]) => [
  counts.map(({ key }) => key),
  counts.map(({ most }) => most),
  counts.map(({ minutes }) => minutes),
];

/** Throws `rate_limited` with the time until the next try is allowed, where one of them is not. */
export function refuseWaiting(seconds: readonly (number | null)[]): void {
  const wait = seconds.find((one) => one !== null);
  if (wait === undefined || wait === null) return;
  throw new AppError('rate_limited', 'Too many failed sign-in attempts. Please try again later.', {
    retryAfterSeconds: Math.max(1, wait),
  });
}

export async function refuseAfterTooMany(db: Queryable, guesses: readonly Count[]): Promise<void> {
  const { rows } = await db.query<{ waits: (number | null)[] }>({
    name: 'waits-for-sign-in',
    text: `select ${waits({ keys: '$1', most: '$2', minutes: '$3' })} as waits`,
    values: standingValues(guesses),
  });
  refuseWaiting(rows[0]?.waits ?? []);
}

/** Counts a failure; throws `rate_limited` when others, tried at the same time, have used up the last one. */
export async function recordFailedAttempt(db: Queryable, guesses: LoginAttempts): Promise<void> {
  for (const count of guesses) {
    const { rowCount } = await db.query({
      name: 'count-login-failure-within',
      text: `insert into login_failures as f (key, failed_at, last_at) values ($1, array[now()], now())
             on conflict (key) do update set failed_at = ${RECENT} || now(), last_at = now()
             where cardinality(${RECENT}) < $2::int`,
      values: [count.key, count.most, count.minutes],
    });
    if (rowCount === 0) await refuseAfterTooMany(db, [count]);
  }
}

/** After a success the own count begins anew, from the time that is answered; throws `rate_limited` when it came too late for that. */
export async function resetAttempts(db: Queryable, guesses: LoginAttempts): Promise<Date> {
  const { rows } = await db.query<{ waits: (number | null)[]; now: Date }>({
    name: 'restart-login-failures',
    text: `with standing as (select ${waits({ keys: '$1', most: '$2', minutes: '$3' })} as waits),
           forgotten as (
             delete from login_failures using standing where key = $4 and array_remove(waits, null) = '{}'
           )
           select waits, clock_timestamp() as now from standing`,
    values: [...standingValues(guesses), guesses[0].key],
  });
  const [standing] = rows;
  if (!standing) throw new Error('the counts of failures did not answer');
  refuseWaiting(standing.waits);
  return standing.now;
}

export async function forgetFailures(db: Queryable, [{ key }]: LoginAttempts): Promise<void> {
  await db.query({ name: 'forget-login-failures', text: 'delete from login_failures where key = $1', values: [key] });
}
