import type { Logger } from '@atrium/service-kit/logger';
import type { Db } from '@atrium/service-kit/postgres';
import { type Rounds, startRounds } from '@atrium/service-kit/rounds';

const EVERY_MS = 60 * 60 * 1000;

/**
 * An old link to a new password is kept for a while, so that it is answered "expired" rather than "invalid". An invitation that
 * nobody accepted stays until it is taken back: it is how its address becomes free.
 */
const STATEMENTS = [
  'delete from refresh_tokens where expires_at < now()',
  `delete from known_devices where last_used_at < now() - interval '400 days'`,
  'delete from sessions where expires_at < now()',
  `delete from invitations where accepted_at < now() - interval '90 days'`,
  `delete from password_resets where expires_at < now() - interval '30 days'`,
  `delete from login_failures where last_at < now() - interval '1 hour'`,
  `delete from signing_keys where created_at < now() - interval '92 days'`,
];

/** Removes what has expired. Any number of pods may do it at once. */
export async function removeExpired(db: Db): Promise<void> {
  for (const statement of STATEMENTS) await db.query(statement);
}

/** Now and then every hour. */
export function startHousekeeping(db: Db, log: Logger): Rounds {
  return startRounds({
    what: 'removing what has expired',
    everyMs: EVERY_MS,
    log,
    async round() {
      await removeExpired(db);
      return false;
    },
  });
}
