import { LAST_RESTORE_ID, suppressedEmail } from '@atrium/notifications/store/records';
import { BSON, type Document } from 'mongodb';
import { linesOf } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { BackupCollection } from '../manifest.ts';
import { nameCollections } from './dump-collections.ts';

const BATCH = 500;

export async function findDocuments({ mongo }: Installation): Promise<string[]> {
  const found: string[] = [];
  for (const name of await nameCollections({ mongo }))
    if ((await mongo.collection(name).findOne({})) !== null) found.push(name);
  return found;
}

export async function loadCollection(folder: string, { mongo }: Installation, kept: BackupCollection): Promise<void> {
  const collection = mongo.collection(kept.name);
  const insert = async (batch: Document[]) => {
    if (batch.length > 0) await collection.insertMany(batch);
  };
  let batch: Document[] = [];
  for await (const line of linesOf(folder, kept)) {
    const document: Document = BSON.EJSON.parse(line, { relaxed: false });
    batch.push(
      kept.name === 'mails' && document.state === 'queued' ? { ...document, ...suppressedEmail(new Date()) } : document,
    );
    if (batch.length < BATCH) continue;
    await insert(batch);
    batch = [];
  }
  await insert(batch);
  const documents = await collection.countDocuments({});
  if (documents !== kept.documents)
    throw new Error(`Restored ${documents} documents of ${kept.name}, expected ${kept.documents}`);
}

/** From now on, emails about events before this time are suppressed. */
export async function recordRestore({ mongo }: Installation, cut: string): Promise<void> {
  const restores = mongo.collection<{ _id: string; at: Date; cut: Date }>('restores');
  const times = { at: new Date(), cut: new Date(cut) };
  await restores.updateOne({ _id: LAST_RESTORE_ID }, { $set: times }, { upsert: true });
}
