import type { Logger } from '../observability/logger.ts';
import { newId } from '../process/new-id.ts';
import { type PollingLoop, startPollingLoop } from '../process/polling-loop.ts';
import { takeLease } from './lease.ts';
import type { Db } from './postgres.ts';

const HOUR_MS = 60 * 60 * 1000;
const BATCH = 5_000;
/** Nearly until the next look: of all pods one does it, and another one once that has gone. */
const LEASE_SECONDS = 3_500;

/** A table, what of it may go, and how many rows at a time: few of one whose rows take many others along. */
export type RetentionRule = readonly [table: string, condition: string, atOnce?: number];

/** For a table whose rows take others along: a statement that takes too long ends undone, and would never end otherwise. */
export const SMALL_BATCH = 200;

/** What may go: a stream delivers no more what it has forgotten (after 30 days), and a draft on a device keeps its key as long as it is kept (30). */
const KIT_RETENTION_RULES = [
  ['processed_events', `processed_at < now() - interval '31 days'`],
  ['idempotency_keys', `created_at < now() - interval '31 days'`],
] as const satisfies readonly RetentionRule[];

/** Keeps the kit's own tables, and a service's, from growing for ever: once an hour, in one pod of the service. */
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
 * Removes what is too old to matter, some rows at a time, so that no lock is held for long; answers how many. A table that fails keeps no
 * other from its turn; then this throws, once all had theirs.
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
  if (failures.size > 0) throw new Error(`what is outdated stays in ${[...failures.keys()].join(', ')}`, { cause });
  return removed;
}

async function removeFrom(db: Db, [table, old, atOnce = BATCH]: RetentionRule): Promise<number> {
  let removed = 0;
  for (;;) {
    const { rowCount } = await db.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table} where ${old} limit ${atOnce}))`,
    );
    removed += rowCount ?? 0;
    if (rowCount !== atOnce) return removed;
  }
}
