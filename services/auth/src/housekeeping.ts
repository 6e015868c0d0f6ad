import type { Logger } from '@atrium/service-kit/logger';
import type { Db } from '@atrium/service-kit/postgres';

const EVERY_MS = 60 * 60 * 1000;

/** An old invitation is kept for a while, so that its link is answered "expired" rather than "invalid". */
const STATEMENTS = [
  'delete from refresh_tokens where expires_at < now()',
  'delete from sessions where expires_at < now()',
  `delete from invitations where expires_at < now() - interval '90 days'`,
  `delete from login_failures where last_at < now() - interval '15 minutes'`,
  `delete from signing_keys where created_at < now() - interval '92 days'`,
];

/** Removes what has expired. Any number of pods may do it at once. */
export async function removeExpired(db: Db): Promise<void> {
  for (const statement of STATEMENTS) await db.query(statement);
}

/** Now and then every hour. */
export function startHousekeeping(db: Db, log: Logger): { close(): void } {
  const run = () => {
    removeExpired(db).catch((error) => log.warn({ err: error }, 'what has expired could not be removed'));
  };
  run();
  const timer = setInterval(run, EVERY_MS).unref();
  return { close: () => clearInterval(timer) };
}
