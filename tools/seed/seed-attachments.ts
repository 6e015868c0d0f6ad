import { createHash } from 'node:crypto';
import type { Client } from 'minio';
import type pg from 'pg';
import sharp from 'sharp';
import { inDatabase, insertAll } from './insert.ts';
import { SUBJECTS } from './names.ts';
import { createSeededId, createSeededRandom, type SeededRandom } from './seeded-random.ts';
import { createWriter } from './vocabulary.ts';

type SeedAttachmentsParams = {
  people: readonly { id: string }[];
  count: number;
  store: { client: Client; bucket: string } | undefined;
};

export const CONVERSATION_TITLE = 'everything-we-ever-sent';

const MAX_PEOPLE = 12;
const MAX_FILES = 10;
const MINUTE = 60_000;
/** Image dimensions in pixels: landscape, portrait, square, and screen. */
const IMAGE_SIZES = [
  [1600, 1200],
  [900, 1600],
  [1080, 1080],
  [1920, 1080],
] as const;

type Content = { bytes: Buffer; extension: string; mimetype: string; width?: number; height?: number };

/** Creates a conversation whose many files share a few objects, as when users resend files. All objects exist. */
export const seedAttachments = async (
  chatUrl: string,
  { people, count, store }: SeedAttachmentsParams,
): Promise<void> => {
  const random = createSeededRandom(count);
  const contents = await createContents(random);
  await inDatabase(chatUrl, async (client) => {
    const senders = people.slice(0, MAX_PEOPLE).map(({ id }) => id);
    const objects = store ? await storeContents(store, senders, contents) : undefined;
    const conversation_id = createSeededId();
    const messages = createMessages({ conversation_id, senders, count, random, contents, objects });
    await insertConversation(client, { conversation_id, senders, messages });
  });
};

/** The object keys of all contents, by sender. */
type Keys = ReadonlyMap<string, readonly string[]>;

async function storeContents(
  { client, bucket }: NonNullable<SeedAttachmentsParams['store']>,
  senders: readonly string[],
  contents: readonly Content[],
): Promise<Keys> {
  const keys = new Map<string, string[]>();
  for (const sender of senders) {
    const senderKeys = contents.map(() => `chat/${createSeededId()}/${createSeededId()}`);
    await Promise.all(contents.map(({ bytes }, at) => client.putObject(bucket, senderKeys[at] ?? '', bytes)));
    keys.set(sender, senderKeys);
  }
  return keys;
}

async function createContents(random: SeededRandom): Promise<Content[]> {
  const { text, word } = createWriter(random);
  const table = Array.from({ length: 40 }, (_, row) => `${word()},${row},${random.integerBelow(9_000)}`).join('\n');
  const texts: Content[] = [
    { bytes: Buffer.from(text(300)), extension: 'txt', mimetype: 'text/plain; charset=utf-8' },
    { bytes: Buffer.from(`# ${word()}\n\n${text(120)}\n`), extension: 'md', mimetype: 'text/plain; charset=utf-8' },
    { bytes: Buffer.from(`what,row,amount\n${table}\n`), extension: 'csv', mimetype: 'text/csv; charset=utf-8' },
    { bytes: Buffer.from(text(4_000)), extension: 'log', mimetype: 'text/plain; charset=utf-8' },
  ];
  const images = IMAGE_SIZES.map(async ([width, height], at): Promise<Content> => {
    const fill = { r: 60 + at * 45, g: 120, b: 210 - at * 40 };
    const light = Buffer.from(
      `<svg width="${width}" height="${height}"><circle cx="${width * 0.7}" cy="${height * 0.4}" r="${height / 4}" fill="#fff8" /></svg>`,
    );
    const image = sharp({ create: { width, height, channels: 3, background: fill } }).composite([{ input: light }]);
    const isPhoto = at % 2 === 0;
    return {
      bytes: await (isPhoto ? image.jpeg() : image.png()).toBuffer(),
      extension: isPhoto ? 'jpg' : 'png',
      mimetype: isPhoto ? 'image/jpeg' : 'image/png',
      width,
      height,
    };
  });
  return [...(await Promise.all(images)), ...texts];
}

type CreateMessagesParams = {
  conversation_id: string;
  senders: readonly string[];
  count: number;
  random: SeededRandom;
  contents: readonly Content[];
  objects: Keys | undefined;
};
type SeededMessage = { message: object; files: object[] };

/** Creates messages with one to ten files each, at intervals that end now. */
function createMessages({
  conversation_id,
  senders,
  count,
  random,
  contents,
  objects,
}: CreateMessagesParams): SeededMessage[] {
  const { word } = createWriter(random);
  const created: SeededMessage[] = [];
  for (let remaining = count; remaining > 0; ) {
    const seq = created.length + 1;
    const sender_id = random.pick(senders);
    const files = Math.min(remaining, random.nextBoolean(0.6) ? 1 : 1 + random.integerBelow(MAX_FILES));
    remaining -= files;
    // Each remaining file accounts for one minute.
    const created_at = new Date(Date.now() - remaining * MINUTE).toISOString();
    const content = random.nextBoolean(0.5) ? `${word()} ${word()}` : '';
    created.push({
      message: {
        conversation_id,
        seq,
        message_id: createSeededId(),
        sender_id,
        content,
        type: 'text',
        created_at,
        updated_at: created_at,
      },
      files: Array.from({ length: files }, (_, position) => {
        const at = random.integerBelow(contents.length);
        const { bytes, ...metadata } = contents[at] as Content;
        return {
          ...{
            conversation_id,
            seq,
            position,
            attachment_id: createSeededId(),
            created_at,
            uploader_id: sender_id,
            ...metadata,
          },
          name: `${random.pick(SUBJECTS)} ${word()} ${seq}-${position + 1}.${metadata.extension}`,
          size: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
          object_key: objects?.get(sender_id)?.[at] ?? `chat/${sender_id}/${at}`,
        };
      }),
    });
  }
  return created;
}

type InsertConversationParams = {
  conversation_id: string;
  senders: readonly string[];
  messages: readonly SeededMessage[];
};

async function insertConversation(
  client: pg.Client,
  { conversation_id, senders, messages }: InsertConversationParams,
): Promise<void> {
  await client.query(
    `insert into conversations (conversation_id, type, title, created_by, last_seq) values ($1, 'group', $2, $3, $4)`,
    [conversation_id, CONVERSATION_TITLE, senders[0], messages.length],
  );
  const participants = senders.map((user_id) => ({ conversation_id, user_id, last_read_seq: messages.length }));
  await insertAll(
    client,
    { table: 'participants', columns: 'conversation_id text, user_id text, last_read_seq bigint' },
    participants,
  );
  const times = 'created_at timestamptz';
  await insertAll(
    client,
    {
      table: 'messages',
      columns: `conversation_id text, seq bigint, message_id text, sender_id text, content text, type text, ${times}, updated_at timestamptz`,
    },
    messages.map(({ message }) => message),
  );
  await insertAll(
    client,
    {
      table: 'attachments',
      columns: `conversation_id text, seq bigint, position smallint, attachment_id text, name text, extension text, size bigint,
        mimetype text, width integer, height integer, sha256 text, object_key text, uploader_id text, ${times}`,
    },
    messages.flatMap(({ files }) => files),
  );
}
