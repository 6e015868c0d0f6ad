import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { ObjectStore } from '../s3/object-store.ts';

/**
 * A backup holds this advisory lock while it copies objects, so that every object of its snapshot still exists. The
 * remover takes it shared in the transaction that claims objects; those no longer have a record, so no later backup
 * references them.
 */
export const REMOVAL_LOCK = 0x6f626a73;

const BATCH_SIZE = 20;
const POLL_MS = 5_000;
/** Longer than a request to the store takes, including its timeout. */
const CLAIM_SECONDS = 30;

export type ObjectRemover = {
  start(): void;
  wake(): void;
  /** Queues an object without a record for removal. Never throws: on failure the orphan sweep removes it. */
  queueRemoval(objectKey: string): Promise<void>;
  close(): Promise<void>;
};

type Deps = { db: Db; store: ObjectStore; log: Logger };

export function createObjectRemover({ db, store, log }: Deps): ObjectRemover {
  let loop: PollingLoop | undefined;
  const wake = () => loop?.wake();
  store.onAvailable(wake);
  return {
    wake,
    start() {
      loop ??= startPollingLoop({
        name: 'object removal',
        intervalMs: POLL_MS,
        round: () => removeBatch({ db, store }),
        log,
      });
    },
    async queueRemoval(objectKey) {
      try {
        await queueRemovalIn(db, objectKey);
        wake();
      } catch (error) {
        log.warn({ err: error, objectKey }, 'Failed to queue object removal; left to the sweep');
      }
    },
    async close() {
      await loop?.close();
    },
  };
}

/** Queues an object without a record for removal as part of a transaction. Wake the remover after the commit. */
export async function queueRemovalIn(tx: Queryable, objectKey: string): Promise<void> {
  await tx.query('insert into objects_to_delete (object_key) values ($1) on conflict do nothing', [objectKey]);
}

/** Holds no lock while it waits for the store. Returns whether there may be more objects to remove. */
async function removeBatch({ db, store }: Pick<Deps, 'db' | 'store'>): Promise<boolean> {
  if (!store.available()) return false;
  const keys = await claimBatch(db);
  const results = await Promise.allSettled(keys.map((key) => store.remove(key)));
  const removed = keys.filter((_key, index) => results[index]?.status === 'fulfilled');
  const failed = keys.filter((key) => !removed.includes(key));
  await recordResults(db, removed, failed);
  return keys.length === BATCH_SIZE;
}

/** The claim of a crashed pod expires; removing an object twice is harmless. */
function claimBatch(db: Db): Promise<string[]> {
  return db.transaction(async (tx) => {
    const statement = 'select pg_try_advisory_xact_lock_shared($1) as acquired';
    const [lock] = (await tx.query<{ acquired: boolean }>(statement, [REMOVAL_LOCK])).rows;
    if (!lock?.acquired) return [];
    // A commit whose response was lost may have recorded an object that its caller then queued for removal.
    await tx.query('delete from objects_to_delete d using objects o where o.object_key = d.object_key');
    const { rows } = await tx.query<{ object_key: string }>(
      `update objects_to_delete set not_before = now() + make_interval(secs => ${CLAIM_SECONDS})
       where object_key in (
         select object_key from objects_to_delete where not_before <= now()
         order by not_before limit ${BATCH_SIZE} for update skip locked
       ) returning object_key`,
    );
    return rows.map(({ object_key }) => object_key);
  });
}

/** Failures are retried after 2, 4, 8 … 300 seconds. */
async function recordResults(db: Queryable, removed: string[], failed: string[]): Promise<void> {
  if (removed.length > 0) await db.query('delete from objects_to_delete where object_key = any($1)', [removed]);
  if (failed.length === 0) return;
  await db.query(
    `update objects_to_delete set attempts = attempts + 1,
       not_before = now() + least(300, power(2, least(attempts, 10) + 1)) * interval '1 second'
     where object_key = any($1)`,
    [failed],
  );
}
