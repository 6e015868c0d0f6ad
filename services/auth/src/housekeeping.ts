import { type Outdated, removeOutdated } from '@atrium/service-kit/housekeeping';
import type { Logger } from '@atrium/service-kit/logger';
import type { Db } from '@atrium/service-kit/postgres';
import { type Rounds, startRounds } from '@atrium/service-kit/rounds';

const EVERY_MS = 60 * 60 * 1000;

/**
 * An old link to a new password is kept for a while, so that it is answered "expired" rather than "invalid". An invitation that
 * nobody accepted stays until it is taken back: it is how its address becomes free.
 */
const OUTDATED: readonly Outdated[] = [
  ['sessions', 'expires_at < now()'],
  ['refresh_tokens', 'expires_at < now()'],
  ['known_devices', `last_used_at < now() - interval '180 days'`],
  ['invitations', `accepted_at < now() - interval '90 days'`],
  ['password_resets', `expires_at < now() - interval '30 days'`],
  ['login_failures', `last_at < now() - interval '1 hour'`],
  ['signing_keys', `created_at < now() - interval '92 days'`],
];

/** Removes what has expired, a few thousand rows at a time. Any number of pods may do it at once. */
export async function removeExpired(db: Db): Promise<void> {
  await removeOutdated(db, OUTDATED);
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
