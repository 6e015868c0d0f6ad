import { createHash } from 'node:crypto';
import { AppError } from '@atrium/service-kit/app-error';
import type { Queryable } from '@atrium/service-kit/postgres';

/** At most this many failures for one account from one address within 15 minutes (decisions, section 2). */
const MOST = 10;

const RECENT = `array(select at from unnest(f.failed_at) as at where at > now() - interval '15 minutes' order by at)`;

/** Names an account at an address without keeping either. */
export function failureKey(email: string, address: string): Buffer {
  return createHash('sha256').update(`${email.toLowerCase()} ${address}`).digest();
}

/** Throws `rate_limited` with the time until the next try is allowed. */
export async function refuseAfterTooMany(db: Queryable, key: Buffer): Promise<void> {
  const { rows } = await db.query<{ wait: number }>({
    name: 'login-failures',
    text: `select ceil(extract(epoch from recent[cardinality(recent) - $2 + 1] + interval '15 minutes' - now()))::int as wait
           from (select ${RECENT} as recent from login_failures f where f.key = $1) as found
           where cardinality(recent) >= $2::int`,
    values: [key, MOST],
  });
  const [found] = rows;
  if (!found) return;
  throw new AppError('rate_limited', 'Too many failed sign-in attempts. Please try again later.', {
    retryAfterSeconds: Math.max(1, found.wait),
  });
}

/** Counts a failure; throws `rate_limited` when others, tried at the same time, have used up the last one. */
export async function countFailure(db: Queryable, key: Buffer): Promise<void> {
  const { rowCount } = await db.query({
    name: 'count-login-failure',
    text: `insert into login_failures as f (key, failed_at, last_at) values ($1, array[now()], now())
           on conflict (key) do update set failed_at = ${RECENT} || now(), last_at = now()
           where cardinality(${RECENT}) < $2::int`,
    values: [key, MOST],
  });
  if (rowCount === 0) await refuseAfterTooMany(db, key);
}

/** After a success the count begins anew; throws `rate_limited` when it came too late for that. */
export async function restartCount(db: Queryable, key: Buffer): Promise<void> {
  await refuseAfterTooMany(db, key);
  await forgetFailures(db, key);
}

export async function forgetFailures(db: Queryable, key: Buffer): Promise<void> {
  await db.query({ name: 'forget-login-failures', text: 'delete from login_failures where key = $1', values: [key] });
}
