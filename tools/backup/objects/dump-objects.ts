import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { REMOVAL_LOCK } from '@atrium/object-store/objects/object-remover';
import { connectDatabase } from '@atrium/service-kit/postgres/migrate';
import type pg from 'pg';
import { assertLockHeld, type ExclusiveLock } from '../exclusive-lock.ts';
import { forEach, readLines, writeCompressed, writeRaw } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import { type BackupFile, type BackupObject, backupObject, type Manifest } from '../manifest.ts';
import { type Connections, endConnection, LONG_TRANSACTION } from '../postgres/connections.ts';
import { objectPath, type Reusable, reuseObject } from './reuse-objects.ts';
import { createRetry, getErrorCode, type Retry } from './with-retries.ts';

const MAX_CONCURRENT_FILES = 4;
const PAGE_SIZE = 2_000;
const REMOVAL_LOCK_TIMEOUT_MS = 120_000;

/**
 * Blocks object removals: in the documents database with the transaction of the exclusive lock, in the chat database
 * with a separate one. `assertLocksHeld` throws if a connection was lost, because objects may then have been removed
 * before they were copied.
 */
export async function withRemovalsBlocked<T>(
  { databases }: Pick<Installation, 'databases'>,
  lock: ExclusiveLock,
  work: (assertLocksHeld: () => Promise<void>) => Promise<T>,
): Promise<T> {
  await blockRemovals(lock);
  const chat = await connectDatabase(databases.chat);
  try {
    await chat.query(`begin; ${LONG_TRANSACTION}`);
    await blockRemovals(chat);
    return await work(async () => {
      await assertLockHeld(lock);
      await assertLockHeld(chat);
    });
  } finally {
    await endConnection(chat);
  }
}

async function blockRemovals(lock: ExclusiveLock): Promise<void> {
  await lock.query(`set local lock_timeout = ${REMOVAL_LOCK_TIMEOUT_MS}`);
  await lock.query(`select pg_advisory_xact_lock(${REMOVAL_LOCK})`);
}

const OBJECT_TABLES = { documents: 'document_versions', chat: 'objects' } as const;

export const dumpObjectList = (folder: string, readers: Connections): Promise<BackupFile> =>
  writeCompressed(
    folder,
    'objects.jsonl.gz',
    (async function* () {
      for (const service of ['documents', 'chat'] as const) {
        const reader = readers.get(service);
        if (!reader) continue;
        for await (const object of readObjects(reader, OBJECT_TABLES[service])) yield `${JSON.stringify(object)}\n`;
      }
    })(),
  );

type Dump = {
  folder: string;
  installation: Pick<Installation, 'objects' | 'bucket'>;
  list: BackupFile;
  reusable: Reusable;
  print: (line: string) => void;
};

export async function dumpObjects({ folder, installation, list, reusable, print }: Dump): Promise<Manifest['objects']> {
  const missing: string[] = [];
  const damaged: string[] = [];
  let count = 0;
  let size = 0;
  let reusedPartialCount = 0;
  const source = { ...installation, retryCall: createRetry(print) };
  const copy = async (object: BackupObject) => {
    count += 1;
    size += object.size;
    const reuse = await reuseObject(folder, object, reusable);
    if (reuse === 'partial') reusedPartialCount += 1;
    if (reuse === 'partial' || reuse === 'previous') return;
    if (reuse === 'damaged') damaged.push(object.key);
    if (!(await fetchObject(folder, source, object))) missing.push(object.key);
  };
  await forEach(readObjectList(folder, list), MAX_CONCURRENT_FILES, copy);
  if (reusedPartialCount > 0) print(`  Reused ${reusedPartialCount} files of partial backups.`);
  if (damaged.length > 0) {
    const previousFolder = reusable.previous?.folder;
    print(
      `  ${damaged.length} files of ${previousFolder} are damaged and were copied again: ${damaged.sort().join(', ')}.`,
    );
  }
  return { ...list, count, size, missing: missing.sort() };
}

export async function* readObjectList(folder: string, list: { file: string }): AsyncGenerator<BackupObject> {
  for await (const line of readLines(folder, list)) yield backupObject.parse(JSON.parse(line));
}

async function* readObjects(reader: pg.Client, table: string): AsyncGenerator<BackupObject> {
  const existing = await reader.query('select where to_regclass($1) is not null', [table]);
  if (existing.rows.length === 0) return;
  for (let after = ''; ; ) {
    const { rows } = await reader.query<{ key: string; size: string | number; sha256: string }>(
      `select distinct on (object_key) object_key as key, size, sha256 from ${table} where object_key > $1 order by object_key limit ${PAGE_SIZE}`,
      [after],
    );
    for (const row of rows) yield { ...row, size: Number(row.size) };
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
    after = last.key;
  }
}

type Source = Dump['installation'] & { retryCall: Retry };

async function fetchObject(
  folder: string,
  { objects, bucket, retryCall }: Source,
  object: BackupObject,
): Promise<boolean> {
  try {
    const copied = await retryCall(async () => {
      await rm(join(folder, objectPath(object.key)), { force: true });
      return writeRaw(folder, objectPath(object.key), await objects.getObject(bucket, object.key));
    });
    return copied.bytes === object.size && copied.sha256 === object.sha256;
  } catch (error) {
    if (getErrorCode(error) === 'NoSuchKey') return false;
    throw error;
  }
}
