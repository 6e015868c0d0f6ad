import type { DirectoryUser } from '@atrium/proto-events/people';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import { removeFeeds } from './feed-repository.ts';

/**
 * Ends the feeds of who may not sign in any more, so that they stay dead when an account comes back. Every pod does; until then reading
 * one is refused all the same. While the database is away it is tried again, until `signal` aborts: what somebody makes once they are back
 * stays.
 */
export function forgetFeeds(
  { db, directory, log }: { db: Db; directory: Directory; log: Logger },
  signal: AbortSignal,
): void {
  const forget = (userIds: readonly string[]) => {
    const heardAt = new Date();
    retryUntilDone('ending feeds', () => removeFeeds(db, userIds, heardAt), log, signal).catch((err: unknown) => {
      if (!signal.aborted) log.error({ err }, 'feeds are ended when they are next asked for');
    });
  };
  const gone = [...directory.users()].filter((person) => !isActive(person)).map(({ _id }) => _id);
  if (gone.length > 0) forget(gone);
  directory.onUser((person: DirectoryUser) => {
    if (!isActive(person)) forget([person._id]);
  });
}
