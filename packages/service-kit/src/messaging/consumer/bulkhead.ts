import { bulkhead } from 'cockatiel';
import type { Db } from '../../postgres/postgres.ts';

/** Concurrent handlers in a process without PostgreSQL. */
const WITHOUT_DATABASE = 16;

/** Limits concurrent event handlers in a process across its subscriptions. */
export type Bulkhead = { run<T>(work: () => Promise<T>): Promise<T> };

/** Half of the database connections: the other half is for requests. */
export function createBulkhead(db: Pick<Db, 'pool'> | undefined): Bulkhead {
  const limit = db ? Math.max(1, Math.floor((db.pool.options.max ?? 0) / 2)) : WITHOUT_DATABASE;
  const policy = bulkhead(limit, Number.POSITIVE_INFINITY);
  return { run: (work) => policy.execute(work) };
}
