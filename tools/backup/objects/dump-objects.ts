import { link, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { REMOVAL_LOCK } from '@atrium/documents/storage/removal-lock';
import type pg from 'pg';
import { connectDatabase } from '../cut.ts';
import { forEach, keep, keepAsIs, linesOf } from '../files.ts';
import { type KeptObject, keptObject, type Manifest } from '../manifest.ts';
import type { Place } from '../place/place.ts';

const AT_ONCE = 4;
const PAGE = 2_000;
/** Held by the one backup that is under way. */
const BACKUP_LOCK = 0x6261636b;
/** As long as somebody may be removing objects. */
const REMOVAL_MS = 120_000;

export const placeOf = (key: string): string => `objects/${key}`;

/** Makes this the only backup, and has no object removed until it is released. Throws a sentence where another one is under way. */
export async function holdObjects({ databases }: Place): Promise<{ release(): Promise<void> }> {
  const client = await connectDatabase(databases.documents);
  try {
    // A transaction without a snapshot, which keeps nothing from being cleaned up.
    await client.query(`begin; set local lock_timeout = ${REMOVAL_MS}`);
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [
      BACKUP_LOCK,
    ]);
    if (!rows[0]?.mine) throw new Error('Another backup is under way.');
    await client.query('select pg_advisory_xact_lock($1)', [REMOVAL_LOCK]);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    /** Fails where the connection was lost, and objects may have been removed meanwhile. */
    async release() {
      await client.query('commit').finally(() => client.end());
    },
  };
}

/** An earlier backup in the same folder, whose files serve again. */
export type Earlier = { folder: string; objects: ReadonlyMap<string, KeptObject> };

export async function readEarlier(folder: string, { objects }: Manifest): Promise<Earlier> {
  const known = new Map<string, KeptObject>();
  for await (const line of linesOf(folder, objects)) {
    const object = keptObject.parse(JSON.parse(line));
    known.set(object.key, object);
  }
  for (const key of objects.missing) known.delete(key);
  return { folder, objects: known };
}

type Dump = { folder: string; place: Place; reader: pg.Client; earlier?: Earlier | undefined };

/** Keeps the bytes of every file that a document has or had. */
export async function dumpObjects({ folder, place, reader, earlier }: Dump): Promise<Manifest['objects']> {
  const missing: string[] = [];
  let count = 0;
  let size = 0;
  const copy = async (object: KeptObject) => {
    count += 1;
    size += object.size;
    if (await linkEarlier(folder, object, earlier)) return;
    if (!(await fetchObject(folder, place, object))) missing.push(object.key);
  };
  const lines = async function* () {
    for await (const object of readObjects(reader)) yield `${JSON.stringify(object)}\n`;
  };
  const list = await keep(folder, 'objects.jsonl.gz', lines());
  await forEach(readList(folder, list), AT_ONCE, copy);
  return { ...list, count, size, missing: missing.sort() };
}

/** The list of the objects of a backup. */
export async function* readList(folder: string, list: { file: string }): AsyncGenerator<KeptObject> {
  for await (const line of linesOf(folder, list)) yield keptObject.parse(JSON.parse(line));
}

async function* readObjects(reader: pg.Client): AsyncGenerator<KeptObject> {
  for (let after = ''; ; ) {
    const { rows } = await reader.query<{ key: string; size: string | number; sha256: string }>(
      `select object_key as key, size, sha256 from document_versions where object_key > $1 order by object_key limit ${PAGE}`,
      [after],
    );
    for (const row of rows) yield { ...row, size: Number(row.size) };
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.key;
  }
}

/** A file never changes under its key, so one copy serves all backups of a folder. */
async function linkEarlier(folder: string, object: KeptObject, earlier: Earlier | undefined): Promise<boolean> {
  const known = earlier?.objects.get(object.key);
  if (!earlier || known?.sha256 !== object.sha256) return false;
  const path = join(folder, placeOf(object.key));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return link(join(earlier.folder, placeOf(object.key)), path).then(
    () => true,
    () => false,
  );
}

/** Answers whether the object store has it, as its record says. */
async function fetchObject(folder: string, { objects, bucket }: Place, object: KeptObject): Promise<boolean> {
  const bytes = await objects.getObject(bucket, object.key).catch((error: { code?: string }) => {
    if (error.code === 'NoSuchKey') return undefined;
    throw error;
  });
  if (!bytes) return false;
  const { bytes: size, sha256 } = await keepAsIs(folder, placeOf(object.key), bytes);
  return size === object.size && sha256 === object.sha256;
}
