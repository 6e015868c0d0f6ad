import { createHash } from 'node:crypto';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { addressBlock } from '@atrium/service-kit/http/client-info';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** Allows `max` wrong passwords within `minutes`. The key is a hash that reveals neither account nor address. */
type AttemptLimit = { key: Buffer; max: number; minutes: number };

/** The limits a failed sign-in counts toward; a success resets only the first. */
export type LoginAttempts = readonly [own: AttemptLimit, ...shared: AttemptLimit[]];

const toKey = (...parts: string[]): Buffer => createHash('sha256').update(parts.join(' ')).digest();

const createOwnLimit = (key: Buffer): AttemptLimit => ({ key, max: 10, minutes: 15 });

/**
 * Limits for unknown devices: per account and address, per account across addresses, and per address across accounts,
 * so that one common password cannot be tried on every account.
 */
export function attemptsFromAddress(email: string, address: string | null): LoginAttempts {
  const account = email.toLowerCase();
  return [
    createOwnLimit(toKey(account, addressBlock(address ?? ''))),
    { key: toKey('account', account), max: 100, minutes: 60 },
    ...(address === null ? [] : createAddressLimits(address)),
  ];
}

/** Far above the typing errors of an office. Providers assign an IPv6 /56 to a customer and a /48 to a company. */
function createAddressLimits(address: string): AttemptLimit[] {
  const network = addressBlock(address, 56);
  const site = addressBlock(address, 48);
  return [
    { key: toKey('address', network), max: 300, minutes: 15 },
    ...(site === network ? [] : [{ key: toKey('address', site), max: 1_200, minutes: 15 }]),
  ];
}

/** Known devices have their own limit, so that failures of strangers do not lock them out. */
export const attemptsFromDevice = (email: string, device: string): LoginAttempts => [
  createOwnLimit(toKey('device', email.toLowerCase(), device)),
];

export const attemptsInSession = (sessionId: string): LoginAttempts => [createOwnLimit(toKey('session', sessionId))];

/** SQL for a row `f`: the failures of the last minutes, oldest first. */
const recentFailuresSql = (minutes: string) =>
  `array(select at from unnest(f.failed_at) as at where at > now() - make_interval(mins => ${minutes}) order by at)`;
const RECENT_FAILURES = recentFailuresSql('$3::int');

type LimitParams = { keys: string; max: string; minutes: string };

/** SQL: seconds until each limit allows another attempt, null if it does now. */
export const waitsSql = ({ keys, max, minutes }: LimitParams): string => `array(
  select (
    select ceil(extract(epoch from recent[cardinality(recent) - counted.max + 1] + make_interval(mins => counted.minutes) - now()))::int
    from (
      select ${recentFailuresSql('counted.minutes')} as recent from login_failures f where f.key = counted.key
    ) as found
    where cardinality(recent) >= counted.max
  )
  from unnest(${keys}::bytea[], ${max}::int[], ${minutes}::int[]) with ordinality as counted (key, max, minutes, position) order by position
)`;

export const toLimitValues = (limits: readonly AttemptLimit[]) => [
  limits.map(({ key }) => key),
  limits.map(({ max }) => max),
  limits.map(({ minutes }) => minutes),
];

/** Throws `rate_limited` with the longest-known wait if any limit is reached. */
export function assertNoWait(seconds: readonly (number | null)[]): void {
  const wait = seconds.find((value) => value !== null);
  if (wait === undefined || wait === null) return;
  throw new AppError('rate_limited', 'Too many failed sign-in attempts. Please try again later.', {
    retryAfterSeconds: Math.max(1, wait),
  });
}

export async function assertAttemptsLeft(db: Queryable, attempts: readonly AttemptLimit[]): Promise<void> {
  const { rows } = await db.query<{ waits: (number | null)[] }>({
    name: 'waits-for-sign-in',
    text: `select ${waitsSql({ keys: '$1', max: '$2', minutes: '$3' })} as waits`,
    values: toLimitValues(attempts),
  });
  assertNoWait(rows[0]?.waits ?? []);
}

export async function recordFailedAttempt(db: Queryable, attempts: LoginAttempts): Promise<void> {
  for (const limit of attempts) {
    const { rowCount } = await db.query({
      name: 'count-login-failure-within',
      text: `insert into login_failures as f (key, failed_at, last_at) values ($1, array[now()], now())
             on conflict (key) do update set failed_at = ${RECENT_FAILURES} || now(), last_at = now()
             where cardinality(${RECENT_FAILURES}) < $2::int`,
      values: [limit.key, limit.max, limit.minutes],
    });
    if (rowCount === 0) await assertAttemptsLeft(db, [limit]);
  }
}

/** Returns the database time of the reset; throws `rate_limited` if concurrent failures have reached a limit. */
export async function resetAttempts(db: Queryable, attempts: LoginAttempts): Promise<Date> {
  const { rows } = await db.query<{ waits: (number | null)[]; now: Date }>({
    name: 'restart-login-failures',
    text: `with checked as (select ${waitsSql({ keys: '$1', max: '$2', minutes: '$3' })} as waits),
           cleared as (
             delete from login_failures using checked where key = $4 and array_remove(waits, null) = '{}'
           )
           select waits, clock_timestamp() as now from checked`,
    values: [...toLimitValues(attempts), attempts[0].key],
  });
  const [row] = rows;
  if (!row) throw new Error('Failure reset query returned no row');
  assertNoWait(row.waits);
  return row.now;
}

export async function clearFailures(db: Queryable, [{ key }]: LoginAttempts): Promise<void> {
  await db.query({ name: 'forget-login-failures', text: 'delete from login_failures where key = $1', values: [key] });
}
