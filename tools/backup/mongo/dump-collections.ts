import { BSON, type Document } from 'mongodb';
import type { ConsistentSnapshot } from '../consistent-snapshot.ts';
import { writeCompressed } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { BackupCollection } from '../manifest.ts';
import { followEventsAfterSnapshot, revertToSnapshot } from './changes-after-snapshot.ts';

export async function listCollectionNames({ mongo }: Pick<Installation, 'mongo'>): Promise<string[]> {
  const collections = await mongo.listCollections({}, { nameOnly: true }).toArray();
  return collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
}

const BATCH_SIZE = 5_000;

export async function dumpCollection(
  folder: string,
  { mongo }: Pick<Installation, 'mongo'>,
  name: string,
  change: (batch: Document[]) => Promise<Document[]> = async (batch) => batch,
): Promise<BackupCollection> {
  let documents = 0;
  const toLines = async (batch: Document[]) => {
    const records = await change(batch);
    documents += records.length;
    return records.map((document) => `${BSON.EJSON.stringify(document, { relaxed: false })}\n`);
  };
  const lines = async function* () {
    let batch: Document[] = [];
    for await (const document of mongo.collection(name).find({}, { promoteValues: false })) {
      batch.push(document);
      if (batch.length < BATCH_SIZE) continue;
      yield* await toLines(batch);
      batch = [];
    }
    yield* await toLines(batch);
  };
  return { name, ...(await writeCompressed(folder, `mongo/${name}.jsonl.gz`, lines())), documents };
}

/** Reverts changes made after the snapshot, as far as the records allow. */
export async function dumpAtSnapshot(
  folder: string,
  installation: Installation,
  name: string,
  snapshot: ConsistentSnapshot,
): Promise<BackupCollection> {
  if (COLLECTIONS[name] !== 'after snapshot') return dumpCollection(folder, installation, name);
  const laterEvents = followEventsAfterSnapshot(installation, snapshot);
  return dumpCollection(folder, installation, name, async (batch) => {
    // Every record read so far comes from an event that is already in the stream.
    await laterEvents.update();
    return batch.flatMap((record) => revertToSnapshot(name, record, laterEvents, new Date(snapshot.at)) ?? []);
  });
}

/**
 * When each collection of notifications is read, because MongoDB has no snapshot (docs/decisions/0031).
 *
 * - `after snapshot`: a record is created once for an event, and its id starts with the event id. Records of events
 *   after the snapshot are omitted.
 * - `before snapshot`: records change with events. Events redelivered after a restore bring them up to date.
 * - `any time`: the collection does not depend on events.
 */
export const COLLECTIONS: Readonly<Record<string, 'after snapshot' | 'before snapshot' | 'any time'>> = {
  activities: 'after snapshot',
  notifications: 'after snapshot',
  mailings: 'after snapshot',
  mails: 'after snapshot',
  claims: 'after snapshot',
  calendar_parts: 'after snapshot',
  withdrawals: 'after snapshot',
  digests: 'any time',
  visits: 'any time',
  push_subscriptions: 'any time',
  pushes: 'any time',
  project_people: 'before snapshot',
  restores: 'any time',
};

export const isReadBeforeSnapshot = (name: string): boolean => COLLECTIONS[name] === 'before snapshot';
