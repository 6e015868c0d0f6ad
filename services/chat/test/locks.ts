import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';

/** Holds the lock that the statement acquires until the returned function is called. */
export async function holdLock(db: Db, statement: string, values: unknown[]) {
  const lockReleased = Promise.withResolvers<void>();
  const lockHeld = Promise.withResolvers<void>();
  const transaction = db.transaction(async (tx) => {
    await tx.query(statement, values);
    lockHeld.resolve();
    await lockReleased.promise;
  });
  await lockHeld.promise;
  return async () => {
    lockReleased.resolve();
    await transaction;
  };
}

export const waitForLock = (service: TestService) =>
  waitFor(
    async () =>
      (
        await service.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        )
      ).length > 0,
    { description: 'a statement to wait for a lock' },
  );
