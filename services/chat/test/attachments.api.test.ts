import { createHash, randomUUID } from 'node:crypto';
import { sweepObjects } from '@atrium/object-store/objects/sweep-objects';
import { s3Env } from '@atrium/object-store/s3/config';
import { createObjectStore } from '@atrium/object-store/s3/object-store';
import { attachmentSaved } from '@atrium/proto-events/events/chat';
import { attachmentSettled } from '@atrium/proto-events/events/documents';
import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Attachment, ConversationAttachment } from '@atrium/proto-events/http/chat-attachments';
import type { ConversationLinks, Message } from '@atrium/proto-events/http/chat-messages';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { applyRetention } from '@atrium/service-kit/postgres/housekeeping';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NEWEST } from '../src/attachments/attachment-repository.ts';
import { TAKEN_OVER } from '../src/attachments/save-attachment.ts';
import { aGroup, ask, type People, send, startChat } from './factories.ts';
import { type FilesOptions, keysOf, postFiles, sendFiles } from './files.ts';
import { aChatter, closeSockets } from './sockets.ts';

const MAX = 6_000_000;
let service: TestService;
let people: People;
let bucket: Awaited<ReturnType<typeof startChat>>['bucket'];
let group: Conversation;

beforeAll(async () => {
  ({ service, people, bucket } = await startChat({ MAX_UPLOAD_BYTES: String(MAX) }));
});
afterEach(closeSockets);
afterAll(async () => {
  await opened?.pool.end();
  await service.close();
});
beforeEach(async () => {
  group = await aGroup(service, [people.member, people.ben]);
});

const log = createLogger('test', 'silent');
let opened: Db | undefined;
/** The service's database, for what it does by itself now and then. */
const db = (): Db => {
  opened ??= createDb(service.env.DATABASE_URL ?? '', 2, log);
  return opened;
};

/** Of the same content by the same person there is one object only. */
const fresh = (text = 'Hello') => `${text} ${newId()}`;
const in_ = (more: Record<string, string> = {}) => ({ conversation: group._id, ...more });
const post = (options: Omit<FilesOptions, 'fields'> & { fields?: Record<string, string> }) =>
  postFiles(service, { as: people.member, fields: in_(), ...options });
const sent = (options: Omit<FilesOptions, 'fields'> & { fields?: Record<string, string> } = {}) =>
  sendFiles(service, { as: people.member, fields: in_(), files: [['notes.txt', fresh()]], ...options });
const listed = (as = people.ben) =>
  ask<{ data: Message[] }>(service, as, ['GET', `/chat/messages?conversation=${group._id}&limit=100`]);
const first = (message: Message): Attachment => {
  const [attachment] = message.attachments ?? [];
  if (!attachment) throw new Error('the message has no files');
  return attachment;
};
const open = (as: People[keyof People], id: string) => service.call('GET', `/chat/attachments/${id}`, { as });
const download = async (attachment: Attachment) => fetch(attachment.downloadUrl ?? 'no link');
const textOf = async (attachment: Attachment) => (await download(attachment)).text();
const sentence = (text: string) => ({ body: { message: [text] } });

/** Nothing waits to be removed any more. */
const settled = () =>
  waitFor(async () => (await service.query('select from objects_to_delete')).length === 0, {
    what: 'what was given up to go',
  });
const rowsOf = (id: string) => service.query('select name from attachments where conversation_id = $1', [id]);
/** The objects of a conversation's messages by their keys in the store. */
const keysOfMessage = async (message: Message) =>
  (await keysOf(bucket)).filter((key) => key.startsWith(`chat/${message._id}/`));

describe('a message with files', () => {
  it('has them in their order, with what was found in their bytes, and links that save them', async () => {
    const content = `a,${newId()}\n1,2\n`;
    const message = await sent({
      files: [
        ['Übersicht.csv', content],
        ['page.html', '<script>alert(1)</script>'],
      ],
      fields: in_({ content: 'Two of them', type: 'system' }),
    });
    expect(message).toMatchObject({
      content: 'Two of them',
      type: 'text',
      seq: 1,
      attachments: [
        { name: 'Übersicht.csv', size: Buffer.byteLength(content), mimetype: 'text/csv; charset=utf-8' },
        { name: 'page.html', mimetype: 'text/plain; charset=utf-8' },
      ],
    });
    const answer = await download(first(message));
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''%C3%9Cbersicht\.csv$/);
    expect(
      createHash('sha256')
        .update(await answer.text())
        .digest('hex'),
    ).toBe(createHash('sha256').update(content).digest('hex'));
    const { data } = await listed();
    expect(data[0]?.attachments?.map(({ name }) => name)).toEqual(['Übersicht.csv', 'page.html']);
    expect(await textOf(first(data[0] as Message))).toBe(content);
    const [conversation] = (
      await ask<{ data: Conversation[] }>(service, people.ben, ['GET', '/chat/conversations?limit=1'])
    ).data;
    expect(conversation?.lastMessage?.attachments?.map(({ downloadUrl }) => downloadUrl)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('reaches the sockets of the others without links, whose copy is kept longer than one lives', async () => {
    const ben = await aChatter(service, people.ben);
    const message = await sent();
    const { downloadUrl: _, ...known } = first(message);
    const heard = await ben.hears('message:new', ({ message: { _id } }) => _id === message._id);
    expect(heard.message).toMatchObject({ readBy: { count: 0 }, attachments: [known] });
    expect(first(heard.message)).not.toHaveProperty('downloadUrl');
  });

  it('needs no text, and text needs no file; neither is nothing', async () => {
    expect(await sent({ fields: in_({ content: ' \n ' }) })).toMatchObject({ content: '' });
    expect(await post({ fields: in_({ content: 'a\r\nb' }) })).toMatchObject({
      status: 201,
      body: { content: 'a\nb' },
    });
    for (const content of [{}, { content: '' }, { content: '  ' }])
      expect(await post({ fields: in_(content) })).toMatchObject({
        status: 400,
        ...sentence('Message cannot be empty'),
      });
    const json = { conversation: group._id, content: '' };
    expect(await service.call('POST', '/chat/messages', { as: people.member, body: json })).toMatchObject({
      status: 400,
    });
    expect(await post({ fields: in_({ content: 'x'.repeat(10_001) }), files: [['a.txt', 'a']] })).toMatchObject({
      status: 400,
      ...sentence('Message must be at most 10000 characters'),
    });
    expect(await sent({ fields: in_({ content: '𝄞\r\n'.repeat(5_000) }) })).toMatchObject({
      content: '𝄞\n'.repeat(5_000).trim(),
    });
  });

  it('may have its fields behind its files', async () => {
    expect(await sent({ fields: in_({ content: 'late' }), fieldsLast: true })).toMatchObject({ content: 'late' });
    expect(await post({ as: people.stranger, files: [['a.txt', fresh()]], fieldsLast: true })).toMatchObject({
      status: 404,
    });
    expect(await post({ files: [['a.txt', fresh()]], fields: {} })).toMatchObject({ status: 400 });
    await settled();
  });

  it('says how large an image is as it is shown', async () => {
    const message = await sent({
      files: [
        ['pixel.gif', gif(3, 2)],
        ['photo.jpg', jpeg(40, 30, 6)],
        ['broken.png', PNG_HEAD],
      ],
    });
    expect(message.attachments).toMatchObject([
      { mimetype: 'image/gif', width: 3, height: 2 },
      { mimetype: 'image/jpeg', width: 30, height: 40 },
      { name: 'broken.png' },
    ]);
    expect(message.attachments?.[2]).not.toHaveProperty('width');
  });

  it('keeps them when its text is edited, which may then be empty', async () => {
    const message = await sent({ fields: in_({ content: 'Look' }) });
    const edit = (id: string, content: string) =>
      service.call('PATCH', `/chat/messages/${id}`, { as: people.member, body: { content } });
    const { downloadUrl: _, ...known } = first(message);
    expect(await edit(message._id, ' ')).toMatchObject({ status: 200, body: { content: '', attachments: [known] } });
    const plain = await send(service, people.member, group._id);
    expect(await edit(plain._id, ' ')).toMatchObject({ status: 400, ...sentence('Message cannot be empty') });
  });
});

describe('a file that is refused', () => {
  const refusals: [string, Parameters<typeof post>[0], number, string][] = [
    [
      'is empty',
      {
        files: [
          ['a.txt', 'full'],
          ['b.txt', ''],
        ],
      },
      400,
      'The file is empty',
    ],
    [
      'is too large',
      {
        files: [
          ['a.txt', fresh()],
          ['b.txt', 'x'.repeat(MAX + 1)],
        ],
      },
      413,
      'The file is larger than 5.7 MB',
    ],
    [
      'is one too many',
      { files: Array.from({ length: 11 }, (_, n) => [`${n}.txt`, fresh()] as const) },
      400,
      'A message can have at most 10 files',
    ],
    ['is another part', { files: [['a.txt', fresh()]], part: 'file' }, 400, 'Files of a message come as attachments'],
  ];
  it.each(refusals)(
    'as it %s refuses the whole message and leaves nothing',
    async (_what, options, status, message) => {
      expect(await post(options)).toMatchObject({ status, body: { message: status === 400 ? [message] : message } });
      await settled();
      expect((await listed()).data).toEqual([]);
      const named = (await service.query('select object_key from attachments')).map((row) => row.object_key);
      expect((await keysOf(bucket)).filter((key) => !named.includes(key))).toEqual([]);
    },
  );

  it('has ten beside it that are not', async () => {
    const files = Array.from({ length: 10 }, (_, n) => [`${n}.txt`, fresh()] as const);
    expect((await sent({ files })).attachments?.map(({ name }) => name)).toEqual(files.map(([name]) => name));
  });

  it('has no room, and says what helps', async () => {
    const small = await startChat({ USER_STORAGE_QUOTA_BYTES: '1000' });
    try {
      const there = await aGroup(small.service, [small.people.member, small.people.ben]);
      const fields = { conversation: there._id };
      const message = await sendFiles(small.service, {
        as: small.people.member,
        fields,
        files: [['a.txt', 'a'.repeat(600)]],
      });
      const more = { as: small.people.member, fields, files: [['b.txt', 'b'.repeat(600)]] as const };
      expect(await postFiles(small.service, more)).toMatchObject({
        status: 413,
        body: {
          message:
            'You have 400 Bytes left of your 1000 Bytes for files in chat, and this file is larger. Delete messages whose files you no longer need, or ask an administrator for more.',
        },
      });
      const limits = () => ask(small.service, small.people.member, ['GET', '/chat/attachments/limits']);
      expect(await limits()).toMatchObject({ maxFiles: 10, usedBytes: 600, quotaBytes: 1000, availableBytes: 400 });
      await ask(small.service, small.people.member, ['DELETE', `/chat/messages/${message._id}`]);
      expect(await limits()).toMatchObject({ usedBytes: 0 });
      expect(await postFiles(small.service, more)).toMatchObject({ status: 201 });
    } finally {
      await small.service.close();
    }
  });
});

it('is refused while the store is away, and nothing is said', async () => {
  const line = await createFaultyProxy(bucket.endpoint);
  const cut = await startChat({ S3_ENDPOINT: line.url });
  try {
    const there = await aGroup(cut.service, [cut.people.member, cut.people.ben]);
    line.cut();
    const fields = { conversation: there._id, content: 'With a file' };
    const answer = await postFiles(cut.service, { as: cut.people.member, fields, files: [['a.txt', fresh()]] });
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    const path = `/chat/messages?conversation=${there._id}`;
    expect(await ask(cut.service, cut.people.ben, ['GET', path])).toMatchObject({ data: [] });
  } finally {
    await cut.service.close();
    await line.close();
  }
});

describe('the same message again', () => {
  it('is answered as before, and what was uploaded for it once more goes', async () => {
    const fields = in_({ content: 'once', clientMessageId: randomUUID() });
    const files = [['notes.txt', fresh()]] as const;
    const message = await sent({ fields, files });
    for (const fieldsLast of [false, true]) {
      const again = await sent({ fields, fieldsLast, files });
      const { attachments, ...rest } = again;
      const { attachments: before, ...known } = message;
      expect(rest).toEqual(known);
      expect(attachments?.map(({ _id }) => _id)).toEqual(before?.map(({ _id }) => _id));
    }
    await settled();
    expect(await rowsOf(group._id)).toHaveLength(1);
    expect(await keysOf(bucket)).toHaveLength((await service.query('select from objects')).length);
    expect(await service.query('select from objects where reference_count = 0')).toEqual([]);
    // Without the files, as from another way.
    const json = { ...fields, content: 'once' };
    expect(await ask<Message>(service, people.member, ['POST', '/chat/messages', json])).toMatchObject({
      _id: message._id,
      attachments: [{ name: 'notes.txt' }],
    });
  });

  it.each([
    ['other content', [['a.txt', 'changed ']], {}],
    ['another name', [['b.txt', '']], {}],
    [
      'one more file',
      [
        ['a.txt', ''],
        ['b.txt', 'more '],
      ],
      {},
    ],
    ['another text', [['a.txt', '']], { content: 'Other words' }],
  ] as const)('is refused with %s, which is not lost unsaid', async (_what, others, other) => {
    const content = fresh();
    const fields = in_({ content: 'Words', clientMessageId: randomUUID() });
    const message = await sent({ fields, files: [['a.txt', content]] });
    const files = others.map(([name, before]) => [name, before + content] as const);
    for (const fieldsLast of [false, true])
      expect(await post({ fields: { ...fields, ...other }, fieldsLast, files })).toMatchObject({
        status: 409,
        body: { code: 'conflict', message: 'This clientMessageId was used for another message' },
      });
    await settled();
    expect(await rowsOf(group._id)).toEqual([{ name: 'a.txt' }]);
    await ask(service, people.member, ['PATCH', `/chat/messages/${message._id}`, { content: 'Edited' }]);
    expect(await sent({ fields, files: [['a.txt', content]] })).toMatchObject({ _id: message._id, content: 'Edited' });
  });

  it('is refused with files that the first did not have, which are not lost unsaid, and answered without them', async () => {
    const fields = in_({ content: 'the text alone', clientMessageId: randomUUID() });
    const message = await ask<Message>(service, people.member, ['POST', '/chat/messages', fields]);
    for (const fieldsLast of [false, true])
      expect(await post({ fields, fieldsLast, files: [['plan.txt', fresh()]] })).toMatchObject({
        status: 409,
        body: {
          code: 'conflict',
          message: 'The text of this message was sent without its files. Send them as another message.',
        },
      });
    await settled();
    expect(await rowsOf(group._id)).toEqual([]);
    expect(await service.query('select from objects where reference_count = 0')).toEqual([]);
    expect(await sent({ fields, files: [] })).toMatchObject({ _id: message._id });
    await ask(service, people.member, ['DELETE', `/chat/messages/${message._id}`]);
    expect(await sent({ fields })).toMatchObject({ _id: message._id, deleted: true });
  });

  it('is one message where it comes twice at once', async () => {
    const fields = in_({ clientMessageId: randomUUID() });
    const content = fresh();
    const both = await Promise.all([1, 2, 3].map(() => sent({ fields, files: [['a.txt', content]] })));
    expect(new Set(both.map(({ _id }) => _id)).size).toBe(1);
    await settled();
    expect(await rowsOf(group._id)).toHaveLength(1);
    expect(await service.query('select from objects where reference_count <> 1')).toEqual([]);
  });
});

describe('the same content', () => {
  it('is one object until its last message goes', async () => {
    const content = fresh();
    const [one, other] = await Promise.all(
      [1, 2].map(() =>
        sent({
          files: [
            ['a.txt', content],
            ['b.txt', content],
          ],
        }),
      ),
    );
    if (!one || !other) throw new Error('nothing was sent');
    await settled();
    const keys = async () => [...(await keysOfMessage(one)), ...(await keysOfMessage(other))];
    expect(await keys()).toHaveLength(1);
    await ask(service, people.member, ['DELETE', `/chat/messages/${one._id}`]);
    await settled();
    expect(await keys()).toHaveLength(1);
    expect(await textOf(first((await listed()).data.find(({ _id }) => _id === other._id) as Message))).toBe(content);
    await ask(service, people.member, ['DELETE', `/chat/messages/${other._id}`]);
    await waitFor(async () => (await keys()).length === 0, { what: 'the object to go' });
  });

  it('of another person is another object', async () => {
    const content = fresh();
    const [one, other] = await Promise.all(
      [people.member, people.ben].map((as) => sent({ as, files: [['a.txt', content]] })),
    );
    expect(await keysOfMessage(one as Message)).toHaveLength(1);
    expect(await keysOfMessage(other as Message)).toHaveLength(1);
  });
});

describe('who reads a file', () => {
  it('takes part in its conversation: nobody else, and no longer', async () => {
    const message = await sent();
    const { _id } = first(message);
    expect(await open(people.ben, _id)).toMatchObject({
      status: 200,
      body: { _id, message: message._id, conversation: group._id, seq: 1, uploadedBy: { _id: people.member._id } },
    });
    for (const as of [people.stranger, people.admin, people.manager]) {
      expect(await open(as, _id)).toMatchObject({ status: 404 });
      expect(await service.call('GET', `/chat/conversations/${group._id}/attachments`, { as })).toMatchObject({
        status: 404,
      });
      expect(await post({ as, files: [['a.txt', fresh()]] })).toMatchObject({ status: 404 });
    }
    expect(await open(people.ben, newId())).toMatchObject({ status: 404 });
    expect(await service.call('GET', `/chat/attachments/${_id}`)).toMatchObject({ status: 401 });
    expect(await service.call('GET', '/chat/attachments/limits')).toMatchObject({ status: 401 });
    expect(await service.call('GET', `/chat/conversations/${group._id}/attachments`)).toMatchObject({ status: 401 });
    await ask(service, people.member, ['DELETE', `/chat/conversations/${group._id}/participants/${people.ben._id}`]);
    expect(await open(people.ben, _id)).toMatchObject({ status: 404 });
    expect(await open(people.member, _id)).toMatchObject({ status: 200 });
    await settled();
  });

  it('sees none of a deleted message', async () => {
    const message = await sent({ fields: in_({ content: 'gone soon' }) });
    await ask(service, people.member, ['DELETE', `/chat/messages/${message._id}`]);
    expect(await open(people.ben, first(message)._id)).toMatchObject({ status: 404 });
    const [left] = (await listed()).data;
    expect(left).toMatchObject({ deleted: true, content: '' });
    expect(left).toHaveProperty('attachments', []);
    await waitFor(async () => (await keysOfMessage(message)).length === 0, { what: 'the object to go' });
  });

  it('is told where the object store has lost it', async () => {
    const message = await sent();
    await service.query('update objects set missing_since = now() where object_key like $1', [`chat/${message._id}/%`]);
    const { body } = await open(people.ben, first(message)._id);
    expect(body).toMatchObject({ fileLost: true });
    expect(body).not.toHaveProperty('downloadUrl');
  });
});

describe('the files of a conversation', () => {
  const page = (query: string) =>
    ask<{ data: ConversationAttachment[]; total: number; next: string | null }>(service, people.ben, [
      'GET',
      `/chat/conversations/${group._id}/attachments?${query}`,
    ]);

  it('are listed newest first, page by page, with messages between and gone', async () => {
    const all: string[] = [];
    for (const [n, size] of [3, 1, 2].entries()) {
      const files = Array.from({ length: size }, (_, at) => [`${n}-${at}.txt`, fresh()] as const);
      await sent({ files });
      await send(service, people.ben, group._id);
      all.unshift(...files.map(([name]) => name).reverse());
    }
    const seen: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const found: Awaited<ReturnType<typeof page>> = await page(`limit=2${next && `&before=${next}`}`);
      expect(found.total).toBe(6);
      seen.push(...found.data.map(({ name }) => name));
      next = found.next;
    }
    expect(seen).toEqual(all);
    expect(await textOf((await page('limit=1')).data[0] as Attachment)).toMatch(/^Hello /);
    const wrong = `/chat/conversations/${group._id}/attachments?before=yesterday`;
    expect(await service.call('GET', wrong, { as: people.ben })).toMatchObject({ status: 400 });
  });

  it('and its links are listed newest first, each once, until what said them is edited or gone', async () => {
    const links = async (query = '', as = people.ben) =>
      ask<{ data: ConversationLinks[]; next: number | null }>(service, as, [
        'GET',
        `/chat/conversations/${group._id}/links?${query}`,
      ]);
    const say = (content: string) => send(service, people.ben, group._id, content);
    const first = await say(
      'See https://example.org/plan. And (HTTPS://example.org/b?c=1#d), or https://example.org/plan!',
    );
    await say('No web address: ftp://example.org, http:// and www. and lena@example.org');
    const second = await say('www.example.com, http://example.com');
    const third = await say('Ours: https://example.net/a_(b)');
    const found = await links();
    expect(found.data.map(({ message, links: said }) => [message, said])).toEqual([
      [third._id, ['https://example.net/a_(b)']],
      [second._id, ['http://www.example.com', 'http://example.com']],
      [first._id, ['https://example.org/plan', 'HTTPS://example.org/b?c=1#d']],
    ]);
    expect(found.data[0]).toMatchObject({ conversation: group._id, seq: third.seq, sender: { _id: people.ben._id } });
    const page = await links('limit=1');
    expect(page).toMatchObject({ data: [{ message: third._id }], next: third.seq });
    expect(await links(`limit=2&before=${page.next}`)).toMatchObject({
      data: [{ message: second._id }, { message: first._id }],
      next: null,
    });
    await ask(service, people.ben, ['PATCH', `/chat/messages/${third._id}`, { content: 'Nothing' }]);
    await ask(service, people.ben, ['DELETE', `/chat/messages/${second._id}`]);
    expect((await links()).data.map(({ message }) => message)).toEqual([first._id]);
    const path = `/chat/conversations/${group._id}/links`;
    expect(await service.call('GET', path, { as: people.stranger })).toMatchObject({ status: 404 });
    expect(await service.call('GET', `${path}?before=yesterday`, { as: people.ben })).toMatchObject({ status: 400 });
    expect(await service.call('GET', path)).toMatchObject({ status: 401 });
  });

  it('are found along their primary key however many there are', async () => {
    await service.query(
      `with m as (
         insert into messages (conversation_id, seq, message_id, sender_id, content, type)
         select $1, n, lpad(to_hex(n), 24, '0'), $2, '', 'text' from generate_series(1000, 10999) n returning seq
       ), f as (
         insert into attachments (conversation_id, seq, position, attachment_id, name, extension, size, mimetype, sha256, object_key, uploader_id)
         select $1, seq, 0, lpad(to_hex(seq), 24, 'f'), 'a.txt', 'txt', 1, 'text/plain', 'x', 'chat/none/' || seq, $2 from m
       ) update conversations set last_seq = 10999 where conversation_id = $1`,
      [group._id, people.member._id],
    );
    await service.query('analyze attachments');
    expect((await page('limit=1&before=5000')).data).toMatchObject([{ seq: 4999 }]);
    expect(await page('limit=2&before=5000.0')).toMatchObject({
      total: 10_000,
      data: [{ seq: 4999 }, { seq: 4998 }],
      next: '4998.0',
    });
    const plan = await service.query(
      `explain (format json) ${NEWEST.replace(/\$\d/g, (n) => ({ $1: `'${group._id}'`, $2: '5000', $3: '0', $4: '50' })[n] ?? n)}`,
    );
    expect(JSON.stringify(plan)).toContain('attachments_pkey');
    expect(JSON.stringify(plan)).not.toMatch(/Seq Scan[^}]*"Relation Name":"attachments"/);
  });
});

describe('a file that is saved to Document Hub', () => {
  const call = (as: People[keyof People], id: string, key?: string) =>
    service.call('POST', `/chat/attachments/${id}/save`, { as, ...(key && { headers: { 'idempotency-key': key } }) });
  const documents = async () =>
    (await service.query('select document_id from saved_attachments')).map(({ document_id }) => String(document_id));
  /** The same, with what documents says of it where it is asked. */
  const save = async (as: People[keyof People], id: string, key?: string, failure: string | null = null) => {
    const known = await documents();
    let isAnswered = false;
    const answer = call(as, id, key).finally(() => {
      isAnswered = true;
    });
    const found = async () => (await documents()).find((one) => !known.includes(one));
    const document = await waitFor(async () => (await found()) ?? (isAnswered ? 'none' : undefined), {
      what: 'the file to be held',
    });
    if (document !== 'none')
      await service.deliver(attachmentSettled, {
        documentId: document,
        savedBy: as._id,
        name: 'plan.txt',
        isLate: false,
        failure,
      });
    return answer;
  };

  it('is refused with the reason where documents has no room, and can be saved once there is some', async () => {
    const { _id } = first(await sent());
    const key = newId();
    const reason = 'You have 1 KB left of your 1 MB for documents, and this file is larger.';
    expect(await save(people.ben, _id, key, reason)).toMatchObject({
      status: 413,
      body: { code: 'too_large', message: reason },
    });
    expect(await save(people.ben, _id, key)).toMatchObject({ status: 201 });
  });

  it('is not confirmed while documents does not answer', async () => {
    const { _id } = first(await sent());
    expect(await call(people.ben, _id)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });

  it('is told to documents, once for each key, and held although its message goes', async () => {
    const content = fresh();
    const message = await sent({ files: [['plan.txt', content]] });
    const { _id } = first(message);
    const key = newId();
    const answer = await save(people.ben, _id, key);
    expect(answer).toMatchObject({ status: 201, body: { document: expect.stringMatching(/^[0-9a-f]{24}$/) } });
    expect((await save(people.ben, _id, key)).body).toEqual(answer.body);
    const { document } = answer.body as { document: string };
    const { data } = await service.published(attachmentSaved, ({ documentId }) => documentId === document);
    expect(data).toMatchObject({
      savedBy: people.ben._id,
      name: 'plan.txt',
      extension: 'txt',
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(service.countPublished(attachmentSaved, ({ documentId }) => documentId === document)).toBe(1);
    await ask(service, people.member, ['DELETE', `/chat/messages/${message._id}`]);
    await settled();
    expect(await keysOfMessage(message)).toEqual([data.objectKey]);
    // A week later.
    await service.query(`update saved_attachments set saved_at = now() - interval '8 days' where document_id = $1`, [
      document,
    ]);
    await applyRetention(db(), [TAKEN_OVER]);
    await waitFor(async () => (await keysOfMessage(message)).length === 0, {
      what: 'the object to go',
      timeoutMs: 10_000,
    });
  });

  it('is one that they may read, and that is there', async () => {
    const message = await sent();
    const other = await sent();
    const { _id } = first(message);
    for (const as of [people.stranger, people.admin]) expect(await save(as, _id)).toMatchObject({ status: 404 });
    expect(await service.call('POST', `/chat/attachments/${_id}/save`)).toMatchObject({ status: 401 });
    const key = newId();
    expect((await save(people.ben, _id, key)).status).toBe(201);
    expect(await save(people.ben, first(other)._id, key)).toMatchObject({ status: 409 });
    await service.query('update objects set missing_since = now() where object_key like $1', [`chat/${other._id}/%`]);
    expect(await save(people.ben, first(other)._id)).toMatchObject({ status: 404 });
    await ask(service, people.member, ['DELETE', `/chat/messages/${message._id}`]);
    expect(await save(people.ben, _id)).toMatchObject({ status: 404 });
  });
});

describe('what goes lets go', () => {
  it('of a conversation that is deleted, in the background', async () => {
    const message = await sent();
    await ask(service, people.admin, ['DELETE', `/chat/conversations/${group._id}`]);
    expect(await open(people.member, first(message)._id)).toMatchObject({ status: 404 });
    await waitFor(async () => (await rowsOf(group._id)).length === 0, { what: 'its files to be removed' });
    await waitFor(async () => (await keysOfMessage(message)).length === 0, { what: 'the object to go' });
  });

  it('also of messages that are deleted by statements that do not name files', async () => {
    const [kept, gone, removed] = [await sent(), await sent(), await sent()];
    const empty = `update messages set content = '', deleted_at = now(), updated_at = now() where message_id = $1`;
    await service.query(empty, [gone._id]);
    await service.query('delete from messages where message_id = $1', [removed._id]);
    await settled();
    expect(await rowsOf(group._id)).toHaveLength(1);
    for (const message of [gone, removed]) expect(await keysOfMessage(message)).toEqual([]);
    expect(await textOf(first((await listed()).data[0] as Message))).toMatch(/^Hello/);
    expect(await keysOfMessage(kept)).toHaveLength(1);
  });

  it('and a sweep takes what no record names, but nothing of another service in the same bucket', async () => {
    const config = s3Env.parse(service.env);
    const ours = createObjectStore({ config, prefix: 'chat/', log });
    const theirs = createObjectStore({ config, prefix: 'documents/', log });
    const bytes = async function* () {
      yield Buffer.from('hello');
    };
    try {
      const message = await sent();
      await ours.put('chat/left/behind', bytes());
      await theirs.put('documents/one/file', bytes());
      await theirs.put('chatter/one/file', bytes());
      const { orphans } = await sweepObjects({ db: db(), store: ours, log }, new Date(Date.now() + 60_000));
      expect(orphans).toBe(1);
      await settled();
      const keys = await keysOf(bucket);
      expect(keys).toEqual(expect.arrayContaining(['documents/one/file', 'chatter/one/file']));
      expect(keys).not.toContain('chat/left/behind');
      expect(await keysOfMessage(message)).toHaveLength(1);
    } finally {
      ours.close();
      theirs.close();
    }
  });
});

/** A GIF that says it has so many pixels. */
const gif = (width: number, height: number) =>
  Uint8Array.from([...Buffer.from('GIF89a'), width, 0, height, 0, 0, 0, 0, 0x3b]);

const PNG_HEAD = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

/** A JPEG with an EXIF block that says how it is turned, and its size. */
function jpeg(width: number, height: number, orientation: number) {
  const tiff = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const exif = [...Buffer.from('Exif\0\0'), ...tiff];
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0];
  const segment = (marker: number, body: number[]) => [0xff, marker, 0, body.length + 2, ...body];
  return Uint8Array.from([0xff, 0xd8, ...segment(0xe1, exif), ...segment(0xc0, frame), 0xff, 0xd9]);
}
