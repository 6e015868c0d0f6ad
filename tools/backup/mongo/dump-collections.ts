import { BSON, type Document } from 'mongodb';
import type { ConsistentSnapshot } from '../consistent-snapshot.ts';
import { writeCompressed } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { BackupCollection } from '../manifest.ts';
import { followEvents, revertToSnapshot } from './changes-after-snapshot.ts';

export async function nameCollections({ mongo }: Pick<Installation, 'mongo'>): Promise<string[]> {
  const collections = await mongo.listCollections({}, { nameOnly: true }).toArray();
  return collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
}

const BATCH = 5_000;

export async function dumpCollection(
  folder: string,
  { mongo }: Pick<Installation, 'mongo'>,
  name: string,
  change: (batch: Document[]) => Promise<Document[]> = async (batch) => batch,
): Promise<BackupCollection> {
  let documents = 0;
  const toLines = async (batch: Document[]) => {
    const kept = await change(batch);
    documents += kept.length;
    return kept.map((document) => `${BSON.EJSON.stringify(document, { relaxed: false })}\n`);
  };
  const lines = async function* () {
    let batch: Document[] = [];
    for await (const document of mongo.collection(name).find({}, { promoteValues: false })) {
      batch.push(document);
      if (batch.length < BATCH) continue;
      yield* await toLines(batch);
      batch = [];
    }
    yield* await toLines(batch);
  };
  return { name, ...(await writeCompressed(folder, `mongo/${name}.jsonl.gz`, lines())), documents };
}

/** As it was at the snapshot, as far as its records allow. */
export async function dumpAtSnapshot(
  folder: string,
  installation: Installation,
  name: string,
  cut: ConsistentSnapshot,
): Promise<BackupCollection> {
  if (COLLECTIONS[name] !== 'by event') return dumpCollection(folder, installation, name);
  const since = followEvents(installation, cut);
  return dumpCollection(folder, installation, name, async (batch) => {
    // The event behind every record read so far had been published before.
    await since.update();
    return batch.flatMap((record) => revertToSnapshot(name, record, since, new Date(cut.at)) ?? []);
  });
}

/**
 * How each collection of notifications is made consistent with the snapshot, because MongoDB has none (docs/decisions/0031).
 *
 * - `by event`: a record is created once for an event, and its id starts with the event id. Read after the snapshot; records of later events
 *   are left out.
 * - `by version`: records change with events. Read before the snapshot; events redelivered after a restore bring them up to date.
 */
export const COLLECTIONS: Readonly<Record<string, 'by event' | 'by version' | 'as it is'>> = {
  activities: 'by event',
  notifications: 'by event',
  mailings: 'by event',
  mails: 'by event',
  claims: 'by event',
  calendar_parts: 'by event',
  project_people: 'by version',
  restores: 'as it is',
};

export const isByVersion = (name: string): boolean => COLLECTIONS[name] === 'by version';
