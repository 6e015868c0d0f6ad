import { BSON, type Document } from 'mongodb';
import type { Cut } from '../consistent-snapshot.ts';
import { keep } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { KeptCollection } from '../manifest.ts';
import { followEvents, takeBack } from './changes-after-snapshot.ts';
import { COLLECTIONS } from './collections.ts';

export async function nameCollections({ mongo }: Pick<Installation, 'mongo'>): Promise<string[]> {
  const collections = await mongo.listCollections({}, { nameOnly: true }).toArray();
  return collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
}

const BATCH = 5_000;

/** Keeps every document of a collection, one a line, with the types of its values. `change` may leave some out of a batch. */
export async function dumpCollection(
  folder: string,
  { mongo }: Pick<Installation, 'mongo'>,
  name: string,
  change: (batch: Document[]) => Promise<Document[]> = async (batch) => batch,
): Promise<KeptCollection> {
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
  return { name, ...(await keep(folder, `mongo/${name}.jsonl.gz`, lines())), documents };
}

/** Keeps a collection as it was at the moment of the cut, as far as its records tell. */
export async function dumpAtCut(folder: string, place: Installation, name: string, cut: Cut): Promise<KeptCollection> {
  if (COLLECTIONS[name] !== 'by event') return dumpCollection(folder, place, name);
  const since = followEvents(place, cut);
  return dumpCollection(folder, place, name, async (batch) => {
    // Whatever has been read by now, the event behind it was published before.
    await since.update();
    return batch.flatMap((record) => takeBack(name, record, since, new Date(cut.at)) ?? []);
  });
}
