import { prepareText } from '@atrium/documents/text-index/prepare-text';
import type { Client } from 'minio';
import type pg from 'pg';
import { inDatabase, insertAll } from './insert.ts';
import { SUBJECTS } from './names.ts';
import { type Chance, createSeededRandom, madeId } from './seeded-random.ts';
import { createWriter } from './vocabulary.ts';

/** A project as the documents service knows it. */
export type Team = { id: string; people: string[] };
type Given = {
  people: readonly { id: string }[];
  teams: readonly Team[];
  count: number;
  /** Where the bytes of the newest go; those of all others are nowhere. */
  store?: { client: Client; bucket: string } | undefined;
};

const HOUR = 3_600_000;
const BATCH = 1_000;
const WITH_BYTES = 100;
const MOST_WORDS = 40_000;
/** Extension, media type, and whether there is text in it; the frequent ones first. */
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

/** Puts documents with their texts into the documents service's database, as if their files had been read. */
export const seedDocuments = (documentsUrl: string, { people, teams, count, store }: Given): Promise<void> =>
  inDatabase(documentsUrl, async (client) => {
    await seedTeams(client, teams);
    const chance = createSeededRandom(count);
    const writer = createWriter(chance);
    // An index is made much sooner over all rows at once.
    await client.query('drop index if exists object_texts_words');
    for (let done = 0; done < count; done += BATCH) {
      const documents = Array.from({ length: Math.min(BATCH, count - done) }, (_, index) =>
        aDocument({ index: done + index, chance, word: writer.word, people, teams, hasBytes: store !== undefined }),
      );
      await insertDocuments(client, documents, chance, people);
      await insertTexts(client, documents, { chance, text: writer.text, store });
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

type Making = {
  index: number;
  chance: Chance;
  word: () => string;
  people: readonly { id: string }[];
  teams: readonly Team[];
  hasBytes: boolean;
};
type Made = ReturnType<typeof aDocument>;

function aDocument({ index, chance, word, people, teams, hasBytes }: Making) {
  // The newest have bytes, and those are of text.
  const isNew = hasBytes && index < WITH_BYTES;
  const [extension, mimetype, hasText] = isNew ? KINDS[5] : chance.one(KINDS, 1.8);
  const id = madeId();
  const visibility = chance.one(['private', 'private', 'team', 'team', 'public']);
  const at = new Date(Date.now() - (isNew ? index * 60_000 : chance.whole(20_000) * HOUR + chance.whole(HOUR)));
  return {
    id,
    name: `${chance.one(SUBJECTS)} ${word()} ${index + 1}.${extension}`,
    description: chance.happens(0.5) ? Array.from({ length: 4 + chance.whole(12) }, word).join(' ') : '',
    visibility,
    tags: Array.from(new Set(Array.from({ length: chance.whole(4) }, () => chance.one(TAGS, 1.5)))),
    uploaded_by: chance.one(people, 2).id,
    project_id: visibility === 'team' && teams.length > 0 && chance.happens(0.6) ? chance.one(teams, 2).id : null,
    object_key: `documents/${id}/1`,
    extension,
    mimetype: mimetype as string,
    // From a kilobyte to twenty megabytes, most of them small.
    size: Math.floor(1_000 * Math.exp((chance.whole(10_000) / 10_000) ** 2 * 10)) + chance.whole(900),
    sha256: id.padStart(64, '0'),
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    hasText,
    isNew,
  };
}

const FILE =
  'object_key text, extension text, mimetype text, size bigint, sha256 text, uploaded_by text, created_at timestamptz';

async function insertDocuments(
  client: pg.Client,
  documents: readonly Made[],
  chance: Chance,
  people: readonly { id: string }[],
) {
  const more =
    'id text, name text, description text, visibility text, tags text[], project_id text, updated_at timestamptz';
  await insertAll(client, { table: 'all_documents', columns: `${FILE}, ${more}` }, documents);
  const versions = documents.map((document) => ({ ...document, document_id: document.id, number: 1 }));
  await insertAll(
    client,
    { table: 'document_versions', columns: `document_id text, number integer, ${FILE}` },
    versions,
  );
  const grants = documents
    .filter(({ visibility }) => visibility === 'private' && chance.happens(0.2))
    .map(({ id, uploaded_by }) => ({ document_id: id, user_id: chance.one(people).id, granted_by: uploaded_by }));
  await insertAll(
    client,
    { table: 'document_grants', columns: 'document_id text, user_id text, granted_by text' },
    grants,
  );
}

type Texts = { chance: Chance; text: (words: number) => string; store: Given['store'] };

/** Half of them have some two hundred words, and a few a book's. */
async function insertTexts(client: pg.Client, documents: readonly Made[], { chance, text, store }: Texts) {
  const written: { key: string; text: string; folded: string; terms: string }[] = [];
  for (const { object_key: key, hasText, isNew, id } of documents) {
    if (!hasText) continue;
    const content = text(Math.min(MOST_WORDS, Math.round(220 * Math.exp(1.1 * bell(chance)))));
    const { terms, ...prepared } = await prepareText(content);
    written.push({ key, ...prepared, terms: terms.join(' ') });
    if (isNew && store) await putBytes(client, store, { id, key, content });
  }
  await client.query(
    `update object_texts t set state = 'done', text = given.text, folded = given.folded,
       words = array_to_tsvector(string_to_array(given.terms, ' '))
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as given (key, text, folded, terms)
     where t.object_key = given.key`,
    [
      written.map(({ key }) => key),
      written.map((one) => one.text),
      written.map(({ folded }) => folded),
      written.map(({ terms }) => terms),
    ],
  );
  await client.query(`update object_texts set state = 'none', reason = 'unsupported' where object_key = any($1)`, [
    documents.filter(({ hasText }) => !hasText).map(({ object_key }) => object_key),
  ]);
  // Their bytes are nowhere, and would be asked for again and again.
  await client.query(`update thumbnails set state = 'failed', reason = 'damaged' where object_key = any($1)`, [
    documents.map(({ object_key }) => object_key),
  ]);
}

type Content = { id: string; key: string; content: string };

async function putBytes(
  client: pg.Client,
  { client: objects, bucket }: NonNullable<Given['store']>,
  { id, key, content }: Content,
) {
  const bytes = Buffer.from(content);
  await objects.putObject(bucket, key, bytes);
  await client.query('update all_documents set size = $2 where id = $1', [id, bytes.length]);
  await client.query('update document_versions set size = $2 where document_id = $1', [id, bytes.length]);
  await client.query('update objects set size = $2 where object_key = $1', [key, bytes.length]);
}

/** About a normal distribution's: the sum of twelve even chances, less its mean. */
const bell = (chance: Chance): number =>
  Array.from({ length: 12 }, () => chance.whole(1_000) / 1_000).reduce((sum, one) => sum + one, -6);
