import type { Logger } from '@atrium/service-kit/observe/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { ObjectStore } from './object-store.ts';

const FIRST_MS = 10 * 60 * 1000;
const EVERY_MS = 6 * 60 * 60 * 1000;
const OLD_MS = 24 * 60 * 60 * 1000;
const BATCH = 500;

type Deps = { db: Db; store: ObjectStore; log: Logger };

/** Sweeps a while after the start and then every six hours. */
export function scheduleSweep(deps: Deps): { start(): void; close(): void } {
  let timer: NodeJS.Timeout | undefined;
  const plan = (delay: number) => {
    timer = setTimeout(async () => {
      await sweepOrphans(deps, new Date(Date.now() - OLD_MS)).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'the sweep of orphaned objects did not finish'),
      );
      plan(EVERY_MS);
    }, delay).unref();
  };
  return { start: () => plan(FIRST_MS), close: () => clearTimeout(timer) };
}

/**
 * Removes what a process that died left behind: objects older than the given moment that no record names, and uploads in parts
 * that never ended. An upload under way has no record yet, hence the age. Answers how many objects were given up. No transaction
 * spans it, for the store may take its time over a list; pods that sweep at once find the same.
 */
export async function sweepOrphans({ db, store, log }: Deps, before: Date): Promise<number> {
  await store.dropUnfinished(before);
  let found = 0;
  for await (const keys of oldKeys(store, before)) {
    const { rowCount } = await db.query(
      `insert into objects_to_delete (object_key)
       select key from unnest($1::text[]) key
       where not exists (select from document_versions v where v.object_key = key) on conflict do nothing`,
      [keys],
    );
    found += rowCount ?? 0;
  }
  if (found > 0) log.warn({ found }, 'orphaned objects were given up');
  return found;
}

async function* oldKeys(store: ObjectStore, before: Date): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const { key, modified } of store.list()) {
    if (modified < before) batch.push(key);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
