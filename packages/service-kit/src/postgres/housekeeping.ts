import type { Logger } from '../observability/logger.ts';
import { newId } from '../process/new-id.ts';
import { type PollingLoop, startPollingLoop } from '../process/polling-loop.ts';
import { takeLease } from './lease.ts';
import type { Db } from './postgres.ts';

const HOUR_MS = 60 * 60 * 1000;
const BATCH = 5_000;
/** Nearly the interval: one pod runs, and another one takes over if it is gone. */
const LEASE_SECONDS = 3_500;

/** `atOnce`: the batch size, small if rows cascade. */
export type RetentionRule = readonly [table: string, condition: string, atOnce?: number];

/** Batch size for tables with cascading rows: a statement that times out is rolled back and would never succeed. */
export const SMALL_BATCH = 200;

/**
 * Longer than streams redeliver events (30 days) and than browsers keep drafts with their idempotency keys (30 days).
 */
const KIT_RETENTION_RULES = [
  ['processed_events', `processed_at < now() - interval '31 days'`],
  ['idempotency_keys', `created_at < now() - interval '31 days'`],
] as const satisfies readonly RetentionRule[];

/** Once an hour, in one pod of the service. */
export function startHousekeeping(db: Db, log: Logger, retentionRules: readonly RetentionRule[] = []): PollingLoop {
  const holder = newId();
  return startPollingLoop({
    what: 'housekeeping',
    intervalMs: HOUR_MS,
    log,
    async round() {
      if (await takeLease(db, 'housekeeping', holder, LEASE_SECONDS))
        await applyRetention(db, [...KIT_RETENTION_RULES, ...retentionRules]);
      return false;
    },
  });
}

/**
 * In batches, so that no lock is held for long. A failing table does not stop the others; the error is thrown at
 * the end.
 */
export async function applyRetention(
  db: Db,
  retentionRules: readonly RetentionRule[] = KIT_RETENTION_RULES,
): Promise<number> {
  let removed = 0;
  const failures = new Map<string, unknown>();
  for (const table of retentionRules) {
    try {
      removed += await removeFrom(db, table);
    } catch (error) {
      failures.set(table[0], error);
    }
  }
  const [cause] = failures.values();
  if (failures.size > 0)
    throw new Error(`Failed to remove expired rows from ${[...failures.keys()].join(', ')}`, { cause });
  return removed;
}

async function removeFrom(db: Db, [table, old, batchSize = BATCH]: RetentionRule): Promise<number> {
  let removed = 0;
  for (;;) {
    const { rowCount } = await db.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table} where ${old} limit ${batchSize}))`,
    );
    removed += rowCount ?? 0;
    if (rowCount !== batchSize) return removed;
  }
}
