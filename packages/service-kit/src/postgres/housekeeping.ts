import type { Logger } from '../observability/logger.ts';
import { newId } from '../process/new-id.ts';
import { type PollingLoop, startPollingLoop } from '../process/polling-loop.ts';
import { acquireLease } from './lease.ts';
import type { Db } from './postgres.ts';

const HOUR_MS = 60 * 60 * 1000;
const BATCH_SIZE = 5_000;
/** Nearly the interval, so that one pod runs it, and another one takes over if that pod is gone. */
const LEASE_SECONDS = 3_500;

/** The rows of `table` to delete, and the batch size, which must be small if rows cascade. */
export type RetentionRule = readonly [table: string, condition: string, batchSize?: number];

/** Batch size for tables with cascading rows: a statement that times out is rolled back and would never succeed. */
export const SMALL_BATCH = 200;

/**
 * Keeps rows for longer than streams redeliver events (30 days), and longer than browsers keep drafts with their
 * idempotency keys (30 days).
 */
const KIT_RETENTION_RULES = [
  ['processed_events', `processed_at < now() - interval '31 days'`],
  ['idempotency_keys', `created_at < now() - interval '31 days'`],
] as const satisfies readonly RetentionRule[];

/** Applies the retention rules once an hour, in one pod of the service. */
export function startHousekeeping(db: Db, log: Logger, retentionRules: readonly RetentionRule[] = []): PollingLoop {
  const holder = newId();
  return startPollingLoop({
    name: 'housekeeping',
    intervalMs: HOUR_MS,
    log,
    async round() {
      if (await acquireLease(db, 'housekeeping', holder, LEASE_SECONDS))
        await applyRetention(db, [...KIT_RETENTION_RULES, ...retentionRules]);
      return false;
    },
  });
}

/**
 * Deletes in batches, so that no lock is held for long, and returns the number of rows. A failing table does not stop
 * the others; the error is thrown at the end.
 */
export async function applyRetention(
  db: Db,
  retentionRules: readonly RetentionRule[] = KIT_RETENTION_RULES,
): Promise<number> {
  let removedCount = 0;
  const failures = new Map<string, unknown>();
  for (const rule of retentionRules) {
    try {
      removedCount += await deleteExpired(db, rule);
    } catch (error) {
      failures.set(rule[0], error);
    }
  }
  const [cause] = failures.values();
  if (failures.size > 0)
    throw new Error(`Failed to remove expired rows from ${[...failures.keys()].join(', ')}`, { cause });
  return removedCount;
}

async function deleteExpired(db: Db, [table, condition, batchSize = BATCH_SIZE]: RetentionRule): Promise<number> {
  let removedCount = 0;
  for (;;) {
    const { rowCount } = await db.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${batchSize}))`,
    );
    removedCount += rowCount ?? 0;
    if (rowCount !== batchSize) return removedCount;
  }
}
