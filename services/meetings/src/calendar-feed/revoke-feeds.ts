import type { DirectoryUser } from '@atrium/proto-events/people';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import { removeFeeds } from './feed-repository.ts';

/**
 * Revokes feeds of users who cannot sign in, so that they stay revoked on reactivation. Runs on every pod and retries during a database
 * outage; until then reading a feed is denied anyway. Feeds created after `detectedAt` stay.
 */
export function revokeFeeds(
  { db, directory, log }: { db: Db; directory: Directory; log: Logger },
  signal: AbortSignal,
): void {
  const revoke = (userIds: readonly string[]) => {
    const detectedAt = new Date();
    retryUntilDone('revoking calendar feeds', () => removeFeeds(db, userIds, detectedAt), log, signal).catch(
      (err: unknown) => {
        if (!signal.aborted) log.error({ err }, 'Failed to revoke calendar feeds');
      },
    );
  };
  const inactiveIds = [...directory.users()].filter((person) => !isActive(person)).map(({ _id }) => _id);
  if (inactiveIds.length > 0) revoke(inactiveIds);
  directory.onUser((person: DirectoryUser) => {
    if (!isActive(person)) revoke([person._id]);
  });
}
