import type { Logger } from '@atrium/service-kit/observe/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import type { ObjectStore } from '../s3/object-store.ts';
import { REMOVAL_LOCK } from './removal-lock.ts';

const BATCH = 20;
const POLL_MS = 5_000;

/** Removes the objects that records gave up, however long the object store is away. */
export type ObjectRemover = {
  start(): void;
  /** Looks for work now. */
  wake(): void;
  /** Gives up an object that has no record. Never throws: what cannot be noted is left to the sweep of orphans. */
  giveUp(objectKey: string): Promise<void>;
  close(): Promise<void>;
};

type Deps = { db: Db; store: ObjectStore; log: Logger };

export function createObjectRemover({ db, store, log }: Deps): ObjectRemover {
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  let nudge = Promise.withResolvers<void>();
  const wake = () => nudge.resolve();
  const run = async () => {
    while (!stop.signal.aborted) {
      nudge = Promise.withResolvers();
      const more = await removeBatch({ db, store }).catch((error: unknown) => {
        log.warn({ err: error }, 'objects wait to be removed');
        return false;
      });
      if (!more) await pause(nudge.promise);
    }
  };
  store.onReturn(wake);
  return {
    wake,
    start() {
      running ??= run();
    },
    async giveUp(objectKey) {
      try {
        await db.query('insert into objects_to_delete (object_key) values ($1) on conflict do nothing', [objectKey]);
        wake();
      } catch (error) {
        log.warn({ err: error, objectKey }, 'an object without record is left to the sweep');
      }
    },
    async close() {
      stop.abort();
      wake();
      await running;
    },
  };
}

async function pause(nudged: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, POLL_MS);
  await Promise.race([promise, nudged]);
  clearTimeout(timer);
}

/** Answers whether there may be more to do now. Rows are locked, so that pods share the work instead of doubling it. */
async function removeBatch({ db, store }: Pick<Deps, 'db' | 'store'>): Promise<boolean> {
  if (!store.available()) return false;
  return db.transaction(async (tx) => {
    const lock = 'select pg_try_advisory_xact_lock_shared($1) as mine';
    const [held] = (await tx.query<{ mine: boolean }>(lock, [REMOVAL_LOCK])).rows;
    if (!held?.mine) return false;
    // A commit whose answer was lost may have kept what its caller then gave up.
    await tx.query('delete from objects_to_delete d using objects o where o.object_key = d.object_key');
    const { rows } = await tx.query<{ object_key: string }>(
      `select object_key from objects_to_delete where not_before <= now()
       order by not_before limit ${BATCH} for update skip locked`,
    );
    const keys = rows.map((row) => row.object_key);
    const results = await Promise.allSettled(keys.map((key) => store.remove(key)));
    const removed = keys.filter((_key, index) => results[index]?.status === 'fulfilled');
    await settle(
      tx,
      removed,
      keys.filter((key) => !removed.includes(key)),
    );
    return keys.length === BATCH;
  });
}

/** What failed comes again after 2, 4, 8 … 300 seconds. */
async function settle(tx: Queryable, removed: string[], failed: string[]): Promise<void> {
  if (removed.length > 0) await tx.query('delete from objects_to_delete where object_key = any($1)', [removed]);
  if (failed.length === 0) return;
  await tx.query(
    `update objects_to_delete set attempts = attempts + 1,
       not_before = now() + least(300, power(2, least(attempts, 10) + 1)) * interval '1 second'
     where object_key = any($1)`,
    [failed],
  );
}
