import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { REMOVAL_LOCK } from '@atrium/object-store/objects/removal-lock';
import { connectDatabase } from '@atrium/service-kit/postgres/connection';
import type pg from 'pg';
import { requireTurn, type Turn } from '../exclusive-lock.ts';
import { forEach, keep, keepAsIs, linesOf } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import { type KeptFile, type KeptObject, keptObject, type Manifest } from '../manifest.ts';
import { type Connections, endConnection, LASTING } from '../postgres/connections.ts';
import { placeOf, type Reusable, reuseObject } from './reuse-objects.ts';
import { codeOf, type Persist, persistently } from './with-retries.ts';

const AT_ONCE = 4;
const PAGE = 2_000;
/** As long as somebody may be removing objects. */
const REMOVAL_MS = 120_000;

/**
 * Has no object removed while something is done: of documents by the turn, whose database that is, and of chat by a transaction of the
 * same kind. Throws a sentence where one of them was lost meanwhile, for objects may have been removed before they were copied.
 */
export async function holdingObjects<T>(
  { databases }: Pick<Installation, 'databases'>,
  turn: Turn,
  work: (requireHeld: () => Promise<void>) => Promise<T>,
): Promise<T> {
  await holdObjects(turn);
  const chat = await connectDatabase(databases.chat);
  try {
    await chat.query(`begin; ${LASTING}`);
    await holdObjects(chat);
    return await work(async () => {
      await requireTurn(turn);
      await requireTurn(chat);
    });
  } finally {
    await endConnection(chat);
  }
}

async function holdObjects(turn: Turn): Promise<void> {
  await turn.query(`set local lock_timeout = ${REMOVAL_MS}`);
  await turn.query(`select pg_advisory_xact_lock(${REMOVAL_LOCK})`);
}

/** The tables of objects by their service: of every file that a document has or had, and of messages and what was saved of them. */
const NAMED_IN = { documents: 'document_versions', chat: 'objects' } as const;

/** Keeps the list of every file. */
export const dumpList = (folder: string, readers: Connections): Promise<KeptFile> =>
  keep(
    folder,
    'objects.jsonl.gz',
    (async function* () {
      for (const service of ['documents', 'chat'] as const) {
        const reader = readers.get(service);
        if (!reader) continue;
        for await (const object of readObjects(reader, NAMED_IN[service])) yield `${JSON.stringify(object)}\n`;
      }
    })(),
  );

type Dump = {
  folder: string;
  place: Pick<Installation, 'objects' | 'bucket'>;
  list: KeptFile;
  reusable: Reusable;
  say: (line: string) => void;
};

/** Keeps the bytes of every file of the list. */
export async function dumpObjects({ folder, place, list, reusable, say }: Dump): Promise<Manifest['objects']> {
  const missing: string[] = [];
  const damaged: string[] = [];
  let [count, size, left] = [0, 0, 0];
  const from = { ...place, persist: persistently(say) };
  const copy = async (object: KeptObject) => {
    count += 1;
    size += object.size;
    const reused = await reuseObject(folder, object, reusable);
    if (reused === 'left') left += 1;
    if (reused === 'left' || reused === 'earlier') return;
    if (reused === 'damaged') damaged.push(object.key);
    if (!(await fetchObject(folder, from, object))) missing.push(object.key);
  };
  await forEach(readList(folder, list), AT_ONCE, copy);
  if (left > 0) say(`  ${left} files were there from a backup that was broken off`);
  if (damaged.length > 0) {
    const where = reusable.earlier?.folder;
    say(`  ${damaged.length} files of ${where} are damaged and were copied anew: ${damaged.sort().join(', ')}`);
  }
  return { ...list, count, size, missing: missing.sort() };
}

/** The list of the objects of a backup. */
export async function* readList(folder: string, list: { file: string }): AsyncGenerator<KeptObject> {
  for await (const line of linesOf(folder, list)) yield keptObject.parse(JSON.parse(line));
}

async function* readObjects(reader: pg.Client, table: string): AsyncGenerator<KeptObject> {
  // Before its migration chat has none.
  const there = await reader.query<{ found: boolean }>('select to_regclass($1) is not null as found', [table]);
  if (!there.rows[0]?.found) return;
  for (let after = ''; ; ) {
    const { rows } = await reader.query<{ key: string; size: string | number; sha256: string }>(
      `select distinct on (object_key) object_key as key, size, sha256 from ${table} where object_key > $1 order by object_key limit ${PAGE}`,
      [after],
    );
    for (const row of rows) yield { ...row, size: Number(row.size) };
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.key;
  }
}

type From = Dump['place'] & { persist: Persist };

/** Answers whether the object store has it, as its record says. */
async function fetchObject(folder: string, { objects, bucket, persist }: From, object: KeptObject): Promise<boolean> {
  try {
    const kept = await persist(async () => {
      await rm(join(folder, placeOf(object.key)), { force: true });
      return keepAsIs(folder, placeOf(object.key), await objects.getObject(bucket, object.key));
    });
    return kept.bytes === object.size && kept.sha256 === object.sha256;
  } catch (error) {
    if (codeOf(error) === 'NoSuchKey') return false;
    throw error;
  }
}
