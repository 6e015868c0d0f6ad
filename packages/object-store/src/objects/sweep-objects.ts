import type { Logger } from '@atrium/service-kit/observability/logger';
import { acquireLease } from '@atrium/service-kit/postgres/lease';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { ObjectStore, StoredObject } from '../s3/object-store.ts';

const INITIAL_DELAY_MS = 10 * 60 * 1000;
const INTERVAL_MS = 6 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
/** Slightly shorter than the interval, so that another pod takes over if this one stops. */
const LEASE_SECONDS = INTERVAL_MS / 1000 - 100;
const BATCH_SIZE = 500;

/** `pendingUploadsView` lists uploads that are not recorded yet (`Quotas`), which the sweep skips. */
type Deps = { db: Db; store: ObjectStore; log: Logger; pendingUploadsView?: string | undefined };

/** Removed objects without a record, records whose object is missing, and missing objects that were found again. */
type SweepResult = { orphans: number; missing: number; found: number };

/** Sweeps every six hours in one of the pods that share the database. */
export function scheduleSweep(deps: Deps, orphanHours: number): { start(): void; close(): void } {
  const holder = newId();
  let timer: NodeJS.Timeout | undefined;
  const schedule = (delayMs: number) => {
    timer = setTimeout(async () => {
      await sweepWithLease(deps, { holder, orphanHours }).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'Failed to sweep objects'),
      );
      schedule(INTERVAL_MS);
    }, delayMs).unref();
  };
  return { start: () => schedule(INITIAL_DELAY_MS), close: () => clearTimeout(timer) };
}

/** Returns undefined if another pod has already swept in this interval. */
export async function sweepWithLease(
  deps: Deps,
  { holder, orphanHours }: { holder: string; orphanHours: number },
): Promise<SweepResult | undefined> {
  if (!(await acquireLease(deps.db, 'sweep-objects', holder, LEASE_SECONDS))) return undefined;
  return sweepObjects(deps, new Date(Date.now() - orphanHours * HOUR_MS));
}

/**
 * Compares the store with the records, both in key order. Removes objects without a record and unfinished store
 * uploads if they are older than `before`, because uploads in flight have no record yet. Marks records whose object is
 * missing (`missing_since`), and clears the mark once the object exists again, such as after a restore. Uses no single
 * transaction, because the store may list slowly.
 */
export async function sweepObjects({ db, store, log, pendingUploadsView }: Deps, before: Date): Promise<SweepResult> {
  await store.abortStaleUploads(before, await listPendingUploadKeys(db, pendingUploadsView));
  const startedAt = (await db.query<{ now: Date }>('select now()')).rows[0]?.now ?? new Date();
  const swept: SweepResult = { orphans: 0, missing: 0, found: 0 };
  let after = '';
  for await (const { batch, upTo } of listBatches(store)) {
    const keys = batch.map(({ key }) => key);
    const oldKeys = batch.filter(({ modified }) => modified < before).map(({ key }) => key);
    swept.orphans += await queueOrphans(db, oldKeys, pendingUploadsView);
    swept.missing += await markMissing(db, { after, upTo, keys, startedAt });
    swept.found += await clearMissing(db, keys);
    after = upTo ?? after;
  }
  if (swept.orphans > 0) log.warn({ count: swept.orphans }, 'Orphaned objects queued for removal');
  if (swept.missing > 0) log.error({ count: swept.missing }, 'Objects missing in the object store');
  return swept;
}

async function* listBatches(store: ObjectStore): AsyncGenerator<{ batch: StoredObject[]; upTo?: string }> {
  let batch: StoredObject[] = [];
  for await (const object of store.list()) {
    batch.push(object);
    if (batch.length < BATCH_SIZE) continue;
    yield { batch, upTo: object.key };
    batch = [];
  }
  yield { batch };
}

async function listPendingUploadKeys(db: Db, pendingUploadsView: string | undefined): Promise<ReadonlySet<string>> {
  if (pendingUploadsView === undefined) return new Set();
  const { rows } = await db.query<{ object_key: string }>(`select object_key from ${pendingUploadsView}`);
  return new Set(rows.map((row) => row.object_key));
}

async function queueOrphans(db: Db, keys: string[], pendingUploadsView: string | undefined): Promise<number> {
  if (keys.length === 0) return 0;
  const { rowCount } = await db.query(
    `insert into objects_to_delete (object_key)
     select key from unnest($1::text[]) key
     where not exists (select from objects o where o.object_key = key)
       ${pendingUploadsView === undefined ? '' : `and not exists (select from ${pendingUploadsView} u where u.object_key = key)`}
     on conflict do nothing`,
    [keys],
  );
  return rowCount ?? 0;
}

type KeyRange = { after: string; upTo: string | undefined; keys: string[]; startedAt: Date };

async function markMissing(db: Db, { after, upTo, keys, startedAt }: KeyRange): Promise<number> {
  const { rowCount } = await db.query(
    `update objects set missing_since = now()
     where object_key > $1 and ($2::text is null or object_key <= $2) and object_key <> all($3::text[])
       and missing_since is null and created_at < $4`,
    [after, upTo ?? null, keys, startedAt],
  );
  return rowCount ?? 0;
}

async function clearMissing(db: Db, keys: string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const { rowCount } = await db.query(
    'update objects set missing_since = null where object_key = any($1) and missing_since is not null',
    [keys],
  );
  return rowCount ?? 0;
}
