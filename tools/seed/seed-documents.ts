import { prepareText } from '@atrium/documents/text-index/prepare-text';
import type { Client } from 'minio';
import type pg from 'pg';
import { inDatabase, insertAll } from './insert.ts';
import { SUBJECTS } from './names.ts';
import { createSeededId, createSeededRandom, type SeededRandom } from './seeded-random.ts';
import { createWriter } from './vocabulary.ts';

export type Team = { id: string; people: string[] };
type SeedDocumentsParams = {
  people: readonly { id: string }[];
  teams: readonly Team[];
  count: number;
  store?: { client: Client; bucket: string } | undefined;
};

const HOUR = 3_600_000;
const BATCH_SIZE = 1_000;
const MAX_FILES_WITH_BYTES = 100;
const MAX_WORDS = 40_000;
/** Extension, media type, and whether the file contains text; most frequent first. */
const KINDS = [
  ['pdf', 'application/pdf', true],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', true],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', true],
  ['png', 'image/png', false],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', true],
  ['txt', 'text/plain; charset=utf-8', true],
  ['md', 'text/plain; charset=utf-8', true],
  ['csv', 'text/csv; charset=utf-8', true],
  ['zip', 'application/zip', false],
  ['mp4', 'video/mp4', false],
  ['mp3', 'audio/mpeg', false],
  ['bin', 'application/octet-stream', false],
] as const;
const TAGS = ['draft', 'final', 'contract', 'minutes', 'budget', 'design', 'legal', 'hiring', 'archive', 'offsite'];

export const seedDocuments = (
  documentsUrl: string,
  { people, teams, count, store }: SeedDocumentsParams,
): Promise<void> =>
  inDatabase(documentsUrl, async (client) => {
    await seedTeams(client, teams);
    const random = createSeededRandom(count);
    const writer = createWriter(random);
    // It is much faster to create the index after the insert.
    await client.query('drop index if exists object_texts_words');
    for (let done = 0; done < count; done += BATCH_SIZE) {
      const documents = Array.from({ length: Math.min(BATCH_SIZE, count - done) }, (_, index) =>
        createDocument({
          index: done + index,
          random,
          word: writer.word,
          people,
          teams,
          hasBytes: store !== undefined,
        }),
      );
      await insertDocuments(client, documents, random, people);
      await insertTexts(client, documents, { random, text: writer.text, store });
    }
    await client.query(`set local maintenance_work_mem = '512MB'`);
    await client.query('create index object_texts_words on object_texts using gin (words) with (fastupdate = off)');
  });

const seedTeams = async (client: pg.Client, teams: readonly Team[]): Promise<void> => {
  const rows = teams.map(({ id }) => ({ id, version: 1 }));
  await insertAll(client, { table: 'projects', columns: 'id text, version integer' }, rows);
  const members = teams.flatMap(({ id, people }) => people.map((user_id) => ({ project_id: id, user_id })));
  await insertAll(client, { table: 'project_people', columns: 'project_id text, user_id text' }, members);
};

type CreateDocumentParams = {
  index: number;
  random: SeededRandom;
  word: () => string;
  people: readonly { id: string }[];
  teams: readonly Team[];
  hasBytes: boolean;
};
type SeededDocument = ReturnType<typeof createDocument>;

function createDocument({ index, random, word, people, teams, hasBytes }: CreateDocumentParams) {
  // The newest documents are text files with content.
  const isNew = hasBytes && index < MAX_FILES_WITH_BYTES;
  const [extension, mimetype, hasText] = isNew ? KINDS[5] : random.pick(KINDS, 1.8);
  const id = createSeededId();
  const visibility = random.pick(['private', 'private', 'team', 'team', 'public']);
  const at = new Date(
    Date.now() - (isNew ? index * 60_000 : random.integerBelow(20_000) * HOUR + random.integerBelow(HOUR)),
  );
  return {
    id,
    name: `${random.pick(SUBJECTS)} ${word()} ${index + 1}.${extension}`,
    description: random.nextBoolean(0.5) ? Array.from({ length: 4 + random.integerBelow(12) }, word).join(' ') : '',
    visibility,
    tags: Array.from(new Set(Array.from({ length: random.integerBelow(4) }, () => random.pick(TAGS, 1.5)))),
    uploaded_by: random.pick(people, 2).id,
    project_id: visibility === 'team' && teams.length > 0 && random.nextBoolean(0.6) ? random.pick(teams, 2).id : null,
    object_key: `documents/${id}/1`,
    extension,
    mimetype: mimetype as string,
    // Sizes range from one kilobyte to twenty megabytes, and most are small.
    size: Math.floor(1_000 * Math.exp((random.integerBelow(10_000) / 10_000) ** 2 * 10)) + random.integerBelow(900),
    sha256: id.padStart(64, '0'),
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    hasText,
    isNew,
  };
}

const FILE_COLUMNS =
  'object_key text, extension text, mimetype text, size bigint, sha256 text, uploaded_by text, created_at timestamptz';

async function insertDocuments(
  client: pg.Client,
  documents: readonly SeededDocument[],
  random: SeededRandom,
  people: readonly { id: string }[],
) {
  const documentColumns =
    'id text, name text, description text, visibility text, tags text[], project_id text, updated_at timestamptz';
  await insertAll(client, { table: 'all_documents', columns: `${FILE_COLUMNS}, ${documentColumns}` }, documents);
  const versions = documents.map((document) => ({ ...document, document_id: document.id, number: 1 }));
  await insertAll(
    client,
    { table: 'document_versions', columns: `document_id text, number integer, ${FILE_COLUMNS}` },
    versions,
  );
  const grants = documents
    .filter(({ visibility }) => visibility === 'private' && random.nextBoolean(0.2))
    .map(({ id, uploaded_by }) => ({ document_id: id, user_id: random.pick(people).id, granted_by: uploaded_by }));
  await insertAll(
    client,
    { table: 'document_grants', columns: 'document_id text, user_id text, granted_by text' },
    grants,
  );
}

type InsertTextsParams = { random: SeededRandom; text: (words: number) => string; store: SeedDocumentsParams['store'] };

/** Inserts the text of documents. Half of the texts have about two hundred words, and a few are as long as a book. */
async function insertTexts(
  client: pg.Client,
  documents: readonly SeededDocument[],
  { random, text, store }: InsertTextsParams,
) {
  const texts: { key: string; text: string; folded: string; terms: string }[] = [];
  for (const { object_key: key, hasText, isNew, id } of documents) {
    if (!hasText) continue;
    const content = text(Math.min(MAX_WORDS, Math.round(220 * Math.exp(1.1 * sampleNormal(random)))));
    const { terms, ...prepared } = await prepareText(content);
    texts.push({ key, ...prepared, terms: terms.join(' ') });
    if (isNew && store) await putBytes(client, store, { id, key, content });
  }
  await client.query(
    `update object_texts t set state = 'done', text = given.text, folded = given.folded,
       words = array_to_tsvector(string_to_array(given.terms, ' '))
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as given (key, text, folded, terms)
     where t.object_key = given.key`,
    [
      texts.map(({ key }) => key),
      texts.map(({ text }) => text),
      texts.map(({ folded }) => folded),
      texts.map(({ terms }) => terms),
    ],
  );
  await client.query(`update object_texts set state = 'none', reason = 'unsupported' where object_key = any($1)`, [
    documents.filter(({ hasText }) => !hasText).map(({ object_key }) => object_key),
  ]);
  // The thumbnail worker would retry documents without content forever.
  await client.query(`update thumbnails set state = 'failed', reason = 'damaged' where object_key = any($1)`, [
    documents.map(({ object_key }) => object_key),
  ]);
}

type Content = { id: string; key: string; content: string };

async function putBytes(
  client: pg.Client,
  { client: objects, bucket }: NonNullable<SeedDocumentsParams['store']>,
  { id, key, content }: Content,
) {
  const bytes = Buffer.from(content);
  await objects.putObject(bucket, key, bytes);
  await client.query('update all_documents set size = $2 where id = $1', [id, bytes.length]);
  await client.query('update document_versions set size = $2 where document_id = $1', [id, bytes.length]);
  await client.query('update objects set size = $2 where object_key = $1', [key, bytes.length]);
}

/** Approximates a normal distribution: the sum of twelve uniform values, less its mean. */
const sampleNormal = (random: SeededRandom): number =>
  Array.from({ length: 12 }, () => random.integerBelow(1_000) / 1_000).reduce((sum, value) => sum + value, -6);
