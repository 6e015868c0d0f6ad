import { LAST_RESTORE_ID, suppressedEmail } from '@atrium/notifications/store/records';
import { BSON, type Document } from 'mongodb';
import { readLines } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { BackupCollection } from '../manifest.ts';
import { listCollectionNames } from './dump-collections.ts';

const BATCH_SIZE = 500;

export async function listFilledCollections({ mongo }: Installation): Promise<string[]> {
  const names: string[] = [];
  for (const name of await listCollectionNames({ mongo }))
    if ((await mongo.collection(name).findOne({})) !== null) names.push(name);
  return names;
}

export async function loadCollection(folder: string, { mongo }: Installation, entry: BackupCollection): Promise<void> {
  const collection = mongo.collection(entry.name);
  const insert = async (batch: Document[]) => {
    if (batch.length > 0) await collection.insertMany(batch);
  };
  let batch: Document[] = [];
  for await (const line of readLines(folder, entry)) {
    const document: Document = BSON.EJSON.parse(line, { relaxed: false });
    batch.push({ ...document, ...suppress(entry.name, document) });
    if (batch.length < BATCH_SIZE) continue;
    await insert(batch);
    batch = [];
  }
  await insert(batch);
  const documents = await collection.countDocuments({});
  if (documents !== entry.documents)
    throw new Error(`Restored ${documents} documents of ${entry.name}, expected ${entry.documents}`);
}

/** What waited to be sent may have been sent since the snapshot. */
function suppress(collection: string, { state }: Document): Document {
  if (state !== 'queued') return {};
  if (collection === 'mails') return suppressedEmail(new Date());
  return collection === 'pushes' ? { state: 'ended' } : {};
}

/** Notifications then suppresses emails about events before the time of the snapshot. */
export async function recordRestore({ mongo }: Installation, snapshotAt: string): Promise<void> {
  const restores = mongo.collection<{ _id: string; at: Date; cut: Date }>('restores');
  const times = { at: new Date(), cut: new Date(snapshotAt) };
  await restores.updateOne({ _id: LAST_RESTORE_ID }, { $set: times }, { upsert: true });
}
