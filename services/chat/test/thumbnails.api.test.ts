import { sweepObjects } from '@atrium/object-store/objects/sweep-objects';
import { createObjectStore } from '@atrium/object-store/s3/object-store';
import type { Attachment, ConversationAttachment } from '@atrium/proto-events/http/chat/attachments';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { Preview } from '@atrium/proto-events/http/previews';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { recordResponse } from '@atrium/test-kit/coverage-records';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { makeHugeImage, makePhoto } from '@atrium/test-kit/make-photo';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import sharp from 'sharp';
import { chatService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createGroup, type People, request, startChat } from './factories.ts';
import { listKeys, sendFiles } from './files.ts';
import { startSecondPod } from './pods.ts';
import { closeSockets, connectChat } from './sockets.ts';

type StartedChat = Awaited<ReturnType<typeof startChat>>;
let startedChat: StartedChat;
let group: Conversation;
beforeAll(async () => {
  startedChat = await startChat();
});
beforeEach(async () => {
  group = await createGroup(startedChat.service, [startedChat.people.member, startedChat.people.ben]);
});
afterEach(closeSockets);
afterAll(() => startedChat.service.close());

const send = (
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  chat: Pick<StartedChat, 'service'> = startedChat,
) =>
  sendFiles(chat.service, {
    as: startedChat.people.member,
    fields: { conversation: group._id },
    files: [[name, content]],
  });
const getAttachmentId = ({ attachments }: Message) => attachments?.[0]?._id ?? 'none';
const get = (path: string, as: People[keyof People] = startedChat.people.ben) =>
  startedChat.service.call('GET', `/chat/attachments/${path}`, { as });
const readAttachment = async (id: string) => (await get(id)).body as ConversationAttachment;
const getPreview = async (id: string) => (await get(`${id}/preview`)).body as Preview;
const waitForThumbnail = (id: string) =>
  waitFor(async () => (await readAttachment(id)).thumbnail, { description: 'the thumbnail' });
const downloadBytes = async (url: string | undefined) => Buffer.from(await (await fetch(url ?? 'none:')).arrayBuffer());
const listMessageKeys = async ({ _id }: Message) =>
  (await listKeys(startedChat.bucket)).filter((key) => key.startsWith(`chat/${_id}/`));
const listAttachments = async () => {
  const path = `/chat/messages?conversation=${group._id}`;
  const { data } = await request<{ data: Message[] }>(startedChat.service, startedChat.people.ben, ['GET', path]);
  return data.flatMap(({ attachments = [] }) => attachments);
};

describe('an image that is attached to a message', () => {
  it('has rotated thumbnails without metadata, and an unchanged download', async () => {
    const content = await makePhoto(3_000, 2_000);
    const message = await send('photo.jpg', content);
    const id = getAttachmentId(message);
    const thumbnail = await waitForThumbnail(id);
    expect(thumbnail).toMatchObject({ width: 320, height: 480 });
    const response = await fetch(thumbnail.url);
    expect([response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      'image/webp',
      'private, max-age=300',
    ]);
    const preview = await getPreview(id);
    expect(preview).toMatchObject({ state: 'ready', mimetype: 'image/webp' });
    for (const [bytes, width, height] of [
      [Buffer.from(await response.arrayBuffer()), 320, 480],
      [await downloadBytes(preview.url), 1_365, 2_048],
    ] as const) {
      const { exif, orientation, width: wide, height: high } = await sharp(bytes).metadata();
      expect({ exif, orientation, wide, high }).toEqual({ wide: width, high: height });
      expect(bytes.includes('Secretcam')).toBe(false);
    }
    const { downloadUrl } = await readAttachment(id);
    expect((await downloadBytes(downloadUrl)).equals(Buffer.from(content))).toBe(true);
    expect((await listAttachments())[0]?.thumbnail).toEqual(thumbnail);
    const list = await request<{ data: Attachment[] }>(startedChat.service, startedChat.people.ben, [
      'GET',
      `/chat/conversations/${group._id}/attachments`,
    ]);
    expect(list.data[0]?.thumbnail).toEqual(thumbnail);
    const { usedBytes } = await request<{ usedBytes: number }>(startedChat.service, startedChat.people.member, [
      'GET',
      '/chat/attachments/limits',
    ]);
    const [sum] = await startedChat.service.query('select sum(size)::int as n from objects where owner_id = $1', [
      startedChat.people.member._id,
    ]);
    // Thumbnails do not count toward the user's quota.
    expect(usedBytes).toBe(sum?.n);
  });

  it('is broadcast without a thumbnail, which is null while pending', async () => {
    const ben = await connectChat(startedChat.service, startedChat.people.ben);
    const message = await send('photo.jpg', await makePhoto(1_000, 999));
    const receivedEvent = await ben.receives('message:new', ({ message: { _id } }) => _id === message._id);
    expect(receivedEvent.message.attachments?.[0]).toEqual({
      _id: getAttachmentId(message),
      name: 'photo.jpg',
      size: expect.any(Number),
      mimetype: 'image/jpeg',
      width: 999,
      height: 1_000,
    });
    await waitForThumbnail(getAttachmentId(message));
    await startedChat.service.query(`update thumbnails set state = 'pending', not_before = now() + interval '1 hour'`);
    expect((await readAttachment(getAttachmentId(message))).thumbnail).toBeNull();
    expect(await getPreview(getAttachmentId(message))).toEqual({ state: 'pending' });
    await startedChat.service.query('update thumbnails set not_before = now()');
    await waitForThumbnail(getAttachmentId(message));
  });

  it('is visible to participants only, and deleted with its thumbnails when its message is deleted', async () => {
    const message = await send('photo.jpg', await makePhoto(500, 400));
    const id = getAttachmentId(message);
    await waitForThumbnail(id);
    expect(await listMessageKeys(message)).toHaveLength(3);
    for (const as of [startedChat.people.stranger, startedChat.people.admin])
      expect(await get(`${id}/preview`, as)).toMatchObject({ status: 404 });
    expect(await get(`${newId()}/preview`)).toMatchObject({ status: 404 });
    expect(await startedChat.service.call('GET', `/chat/attachments/${id}/preview`)).toMatchObject({ status: 401 });
    await request(startedChat.service, startedChat.people.member, ['DELETE', `/chat/messages/${message._id}`]);
    expect(await get(`${id}/preview`)).toMatchObject({ status: 404 });
    await waitFor(async () => (await listMessageKeys(message)).length === 0, {
      description: 'all three objects to be deleted',
    });
    expect(
      await startedChat.service.query('select from objects where object_key like $1', [`chat/${message._id}/%`]),
    ).toEqual([]);
  });

  it('has an error reason instead of a thumbnail if it is too large or damaged', async () => {
    const [hugeMessage, brokenMessage] = await Promise.all([
      send('bomb.png', await makeHugeImage(20_000, 20_000)),
      send('broken.jpg', (await makePhoto(900, 900)).slice(0, 300)),
    ]);
    for (const [message, reason] of [
      [hugeMessage, 'too-large'],
      [brokenMessage, 'damaged'],
    ] as const) {
      const id = getAttachmentId(message);
      await waitFor(async () => (await readAttachment(id)).thumbnailError, {
        description: 'the thumbnail to fail',
      });
      expect(await readAttachment(id)).toMatchObject({ thumbnailError: reason });
      expect(await getPreview(id)).toEqual({ state: 'none', reason });
    }
  });
});

describe('a file preview', () => {
  const PLAIN = 'text/plain; charset=utf-8';

  it.each<[string, string, string, string]>([
    ['plan.pdf', '%PDF-1.7\n%âãÏÓ\n', 'application/pdf', 'inline'],
    ['table.csv', 'a,b\n1,2\n', PLAIN, 'inline'],
    ['page.html', '<!doctype html><script>alert(1)</script>', PLAIN, 'attachment'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>', PLAIN, 'attachment'],
  ])('is available for %s', async (name, content, type, disposition) => {
    const preview = await getPreview(getAttachmentId(await send(name, content)));
    expect(preview).toMatchObject({ state: 'ready', mimetype: type });
    const { headers } = await fetch(preview.url ?? 'none:');
    expect([headers.get('content-type'), headers.get('content-disposition')?.split(';', 1)[0]]).toEqual([
      type,
      disposition,
    ]);
  });

  it('is not available for unsupported types and lost objects', async () => {
    expect(await getPreview(getAttachmentId(await send('data.bin', new Uint8Array([0, 1, 2, 0xff]))))).toEqual({
      state: 'none',
    });
    const lostMessage = await send('lost.txt', `lost ${newId()}`);
    await startedChat.service.query('update objects set missing_since = now() where object_key like $1', [
      `chat/${lostMessage._id}/%`,
    ]);
    expect(await getPreview(getAttachmentId(lostMessage))).toEqual({ state: 'none' });
  });

  it('responds with 503 while the object store is unavailable', async () => {
    const proxy = await createFaultyProxy(startedChat.bucket.endpoint);
    const podWithoutStore = await startSecondPod(startedChat.service, startedChat.people, { S3_ENDPOINT: proxy.url });
    try {
      const id = getAttachmentId(await send('notes.txt', `notes ${newId()}`));
      proxy.cut();
      const requestPreview = async () => {
        const token = await startedChat.service.tokens.sign(startedChat.people.ben);
        const call = { method: 'GET', path: `/chat/attachments/${id}/preview` };
        const response = await fetch(`${podWithoutStore.url}/api${call.path}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        recordResponse('chat', call, { status: response.status, body: await response.json() });
        return response;
      };
      await waitFor(async () => (await requestPreview()).status === 503, {
        description: 'the object store to be reported as unavailable',
      });
    } finally {
      await podWithoutStore.close();
      await proxy.close();
    }
  });
});

it('thumbnails are rendered by pods for files, and not by pods with CHAT_ROLE=sockets', async () => {
  const socketsChat = await startChat({ CHAT_ROLE: 'sockets' });
  try {
    const socketsGroup = await createGroup(socketsChat.service, [socketsChat.people.member, socketsChat.people.ben]);
    const message = await sendFiles(socketsChat.service, {
      as: socketsChat.people.member,
      fields: { conversation: socketsGroup._id },
      files: [['photo.jpg', await makePhoto(300, 200)]],
    });
    const listStates = () => socketsChat.service.query('select state, unfinished from thumbnails');
    expect(await listStates()).toEqual([{ state: 'pending', unfinished: 0 }]);
    const filesPod = await startSecondPod(socketsChat.service, socketsChat.people, { CHAT_ROLE: 'files' });
    try {
      await waitFor(async () => (await listStates())[0]?.state === 'done', {
        description: 'the thumbnail',
      });
      const { thumbnail } = await request<Attachment>(socketsChat.service, socketsChat.people.ben, [
        'GET',
        `/chat/attachments/${getAttachmentId(message)}`,
      ]);
      expect(thumbnail).toMatchObject({ width: 200, height: 300 });
    } finally {
      await filesPod.close();
    }
  } finally {
    await socketsChat.service.close();
  }
});

it('a sweep finds no missing or orphaned thumbnails', async () => {
  await waitForThumbnail(getAttachmentId(await send('photo.jpg', await makePhoto(444, 333))));
  const log = createLogger('test', 'silent');
  const db = createDb(startedChat.service.env.DATABASE_URL ?? '', 2, log);
  const store = createObjectStore({ config: readConfig(startedChat.service.env), prefix: 'chat/', log });
  try {
    await waitFor(async () => (await startedChat.service.query('select from objects_to_delete')).length === 0, {
      description: 'released objects to be deleted',
    });
    expect(await sweepObjects({ db, store, log }, new Date(Date.now() + 60_000))).toMatchObject({
      missing: 0,
      orphans: 0,
    });
  } finally {
    store.close();
    await db.pool.end();
  }
});

it('queues thumbnails for images only, and drops them with their message', async () => {
  const url = await testDatabase('chat_queue');
  await migrate(url, chatService.migrations);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`insert into conversations (conversation_id, type) values ('c', 'group')`);
    const insertMessage = async (seq: number, mimetype: string) => {
      await client.query(
        `insert into messages (conversation_id, seq, message_id, sender_id, content, type) values ('c', $1, $2, 'someone', '', 'text')`,
        [seq, `m${seq}`],
      );
      await client.query(
        `insert into attachments (conversation_id, seq, position, attachment_id, name, extension, size, mimetype, sha256, object_key, uploader_id)
         values ('c', $1, 0, $2, 'x', 'x', 10, $3, $2, $4, 'someone')`,
        [seq, `a${seq}`, mimetype, `chat/m${seq}/1`],
      );
    };
    await insertMessage(1, 'image/jpeg');
    await insertMessage(2, 'text/plain');
    await insertMessage(3, 'image/png');
    await insertMessage(4, 'image/svg+xml');
    const listStates = async () =>
      (await client.query('select object_key, state from thumbnails order by object_key')).rows;
    expect(await listStates()).toEqual([
      { object_key: 'chat/m1/1', state: 'pending' },
      { object_key: 'chat/m3/1', state: 'pending' },
    ]);
    await client.query(`update messages set deleted_at = now() where message_id = 'm1'`);
    expect(await listStates()).toEqual([{ object_key: 'chat/m3/1', state: 'pending' }]);
  } finally {
    await client.end();
  }
});
