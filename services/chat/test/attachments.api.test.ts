import { createHash, randomUUID } from 'node:crypto';
import { sweepObjects } from '@atrium/object-store/objects/sweep-objects';
import { s3Env } from '@atrium/object-store/s3/config';
import { createObjectStore } from '@atrium/object-store/s3/object-store';
import { attachmentSaved } from '@atrium/proto-events/events/chat';
import { attachmentSettled } from '@atrium/proto-events/events/documents';
import type { Attachment, ConversationAttachment } from '@atrium/proto-events/http/chat/attachments';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { ConversationLinks, Message } from '@atrium/proto-events/http/chat/messages';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { applyRetention } from '@atrium/service-kit/postgres/housekeeping';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LIST_ATTACHMENTS_BEFORE } from '../src/model/messages/attachment-repository.ts';
import { SAVED_ATTACHMENT_RETENTION } from '../src/model/messages/saved-attachments.ts';
import { createGroup, type People, request, send, startChat } from './factories.ts';
import { type FilesOptions, listKeys, postFiles, sendFiles } from './files.ts';
import { closeSockets, connectChat } from './sockets.ts';

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
  await openedDb?.pool.end();
  await service.close();
});
beforeEach(async () => {
  group = await createGroup(service, [people.member, people.ben]);
});

const log = createLogger('test', 'silent');
let openedDb: Db | undefined;
/** Opens a database connection for the background work of the service. */
const db = (): Db => {
  openedDb ??= createDb(service.env.DATABASE_URL ?? '', 2, log);
  return openedDb;
};

/** Unique content, because equal content of a user is stored once. */
const unique = (text = 'Hello') => `${text} ${newId()}`;
const formFields = (overrides: Record<string, string> = {}) => ({ conversation: group._id, ...overrides });
const post = (options: Omit<FilesOptions, 'fields'> & { fields?: Record<string, string> }) =>
  postFiles(service, { as: people.member, fields: formFields(), ...options });
const sendWithFiles = (options: Omit<FilesOptions, 'fields'> & { fields?: Record<string, string> } = {}) =>
  sendFiles(service, { as: people.member, fields: formFields(), files: [['notes.txt', unique()]], ...options });
const listMessages = (as = people.ben) =>
  request<{ data: Message[] }>(service, as, ['GET', `/chat/messages?conversation=${group._id}&limit=100`]);
const firstAttachment = (message: Message): Attachment => {
  const [attachment] = message.attachments ?? [];
  if (!attachment) throw new Error('The message has no files');
  return attachment;
};
const getAttachment = (as: People[keyof People], id: string) => service.call('GET', `/chat/attachments/${id}`, { as });
const download = async (attachment: Attachment) => fetch(attachment.downloadUrl ?? 'no link');
const downloadText = async (attachment: Attachment) => (await download(attachment)).text();
const errorBody = (text: string) => ({ body: { message: [text] } });

const waitForDeletions = () =>
  waitFor(async () => (await service.query('select from objects_to_delete')).length === 0, {
    description: 'released objects to be deleted',
  });
const listRows = (id: string) => service.query('select name from attachments where conversation_id = $1', [id]);
const listMessageKeys = async (message: Message) =>
  (await listKeys(bucket)).filter((key) => key.startsWith(`chat/${message._id}/`));

describe('a message with files', () => {
  it('returns its files in order, with detected types and download links', async () => {
    const content = `a,${newId()}\n1,2\n`;
    const message = await sendWithFiles({
      files: [
        ['Übersicht.csv', content],
        ['page.html', '<script>alert(1)</script>'],
      ],
      fields: formFields({ content: 'Two of them', type: 'system' }),
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
    const response = await download(firstAttachment(message));
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; .*filename\*=UTF-8''%C3%9Cbersicht\.csv$/,
    );
    expect(
      createHash('sha256')
        .update(await response.text())
        .digest('hex'),
    ).toBe(createHash('sha256').update(content).digest('hex'));
    const { data } = await listMessages();
    expect(data[0]?.attachments?.map(({ name }) => name)).toEqual(['Übersicht.csv', 'page.html']);
    expect(await downloadText(firstAttachment(data[0] as Message))).toBe(content);
    const [conversation] = (
      await request<{ data: Conversation[] }>(service, people.ben, ['GET', '/chat/conversations?limit=1'])
    ).data;
    expect(conversation?.lastMessage?.attachments?.map(({ downloadUrl }) => downloadUrl)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('is broadcast without links', async () => {
    const ben = await connectChat(service, people.ben);
    const message = await sendWithFiles();
    const { downloadUrl: _, ...knownFields } = firstAttachment(message);
    const receivedEvent = await ben.receives('message:new', ({ message: { _id } }) => _id === message._id);
    expect(receivedEvent.message).toMatchObject({ readBy: { count: 0 }, attachments: [knownFields] });
    expect(firstAttachment(receivedEvent.message)).not.toHaveProperty('downloadUrl');
  });

  it('requires text or a file', async () => {
    expect(await sendWithFiles({ fields: formFields({ content: ' \n ' }) })).toMatchObject({ content: '' });
    expect(await post({ fields: formFields({ content: 'a\r\nb' }) })).toMatchObject({
      status: 201,
      body: { content: 'a\nb' },
    });
    for (const content of [{}, { content: '' }, { content: '  ' }])
      expect(await post({ fields: formFields(content) })).toMatchObject({
        status: 400,
        ...errorBody('Message cannot be empty'),
      });
    const json = { conversation: group._id, content: '' };
    expect(await service.call('POST', '/chat/messages', { as: people.member, body: json })).toMatchObject({
      status: 400,
    });
    expect(await post({ fields: formFields({ content: 'x'.repeat(10_001) }), files: [['a.txt', 'a']] })).toMatchObject({
      status: 400,
      ...errorBody('Message must be at most 10000 characters'),
    });
    expect(await sendWithFiles({ fields: formFields({ content: '𝄞\r\n'.repeat(5_000) }) })).toMatchObject({
      content: '𝄞\n'.repeat(5_000).trim(),
    });
  });

  it('accepts fields after the files', async () => {
    expect(await sendWithFiles({ fields: formFields({ content: 'late' }), fieldsLast: true })).toMatchObject({
      content: 'late',
    });
    expect(await post({ as: people.stranger, files: [['a.txt', unique()]], fieldsLast: true })).toMatchObject({
      status: 404,
    });
    expect(await post({ files: [['a.txt', unique()]], fields: {} })).toMatchObject({ status: 400 });
    await waitForDeletions();
  });

  it('includes the dimensions of an image as displayed', async () => {
    const message = await sendWithFiles({
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

  it('keeps its files when its text is edited, even to an empty one', async () => {
    const message = await sendWithFiles({ fields: formFields({ content: 'Look' }) });
    const edit = (id: string, content: string) =>
      service.call('PATCH', `/chat/messages/${id}`, { as: people.member, body: { content } });
    const { downloadUrl: _, ...knownFields } = firstAttachment(message);
    expect(await edit(message._id, ' ')).toMatchObject({
      status: 200,
      body: { content: '', attachments: [knownFields] },
    });
    const textMessage = await send(service, people.member, group._id);
    expect(await edit(textMessage._id, ' ')).toMatchObject({ status: 400, ...errorBody('Message cannot be empty') });
  });
});

describe('the limits of a message with files', () => {
  const rejections: [string, Parameters<typeof post>[0], number, string][] = [
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
          ['a.txt', unique()],
          ['b.txt', 'x'.repeat(MAX + 1)],
        ],
      },
      413,
      'The file is larger than 5.7 MB',
    ],
    [
      'exceeds the number of files',
      { files: Array.from({ length: 11 }, (_, n) => [`${n}.txt`, unique()] as const) },
      400,
      'A message can have at most 10 files',
    ],
    [
      'is in an unexpected part',
      { files: [['a.txt', unique()]], part: 'file' },
      400,
      'Send the files of a message in the field `attachments`',
    ],
  ];
  it.each(rejections)(
    'reject the whole message and store nothing if a file %s',
    async (_problem, options, status, message) => {
      expect(await post(options)).toMatchObject({ status, body: { message: status === 400 ? [message] : message } });
      await waitForDeletions();
      expect((await listMessages()).data).toEqual([]);
      const referencedKeys = (await service.query('select object_key from attachments')).map((row) => row.object_key);
      expect((await listKeys(bucket)).filter((key) => !referencedKeys.includes(key))).toEqual([]);
    },
  );

  it('allow ten files', async () => {
    const files = Array.from({ length: 10 }, (_, n) => [`${n}.txt`, unique()] as const);
    expect((await sendWithFiles({ files })).attachments?.map(({ name }) => name)).toEqual(files.map(([name]) => name));
  });

  it('reject a file over the quota, with a helpful message', async () => {
    const smallQuotaChat = await startChat({ USER_STORAGE_QUOTA_BYTES: '1000' });
    try {
      const quotaGroup = await createGroup(smallQuotaChat.service, [
        smallQuotaChat.people.member,
        smallQuotaChat.people.ben,
      ]);
      const fields = { conversation: quotaGroup._id };
      const message = await sendFiles(smallQuotaChat.service, {
        as: smallQuotaChat.people.member,
        fields,
        files: [['a.txt', 'a'.repeat(600)]],
      });
      const secondFile = { as: smallQuotaChat.people.member, fields, files: [['b.txt', 'b'.repeat(600)]] as const };
      expect(await postFiles(smallQuotaChat.service, secondFile)).toMatchObject({
        status: 413,
        body: {
          message:
            'You have 400 Bytes left of your 1000 Bytes for files in chat, and this file is larger. Delete messages whose files you no longer need, or ask an administrator for more.',
        },
      });
      const getLimits = () =>
        request(smallQuotaChat.service, smallQuotaChat.people.member, ['GET', '/chat/attachments/limits']);
      expect(await getLimits()).toMatchObject({ maxFiles: 10, usedBytes: 600, quotaBytes: 1000, availableBytes: 400 });
      await request(smallQuotaChat.service, smallQuotaChat.people.member, ['DELETE', `/chat/messages/${message._id}`]);
      expect(await getLimits()).toMatchObject({ usedBytes: 0 });
      expect(await postFiles(smallQuotaChat.service, secondFile)).toMatchObject({ status: 201 });
    } finally {
      await smallQuotaChat.service.close();
    }
  });
});

it('a message with files is rejected without being stored while the object store is unavailable', async () => {
  const proxy = await createFaultyProxy(bucket.endpoint);
  const chatWithoutStore = await startChat({ S3_ENDPOINT: proxy.url });
  try {
    const storelessGroup = await createGroup(chatWithoutStore.service, [
      chatWithoutStore.people.member,
      chatWithoutStore.people.ben,
    ]);
    proxy.cut();
    const fields = { conversation: storelessGroup._id, content: 'With a file' };
    const response = await postFiles(chatWithoutStore.service, {
      as: chatWithoutStore.people.member,
      fields,
      files: [['a.txt', unique()]],
    });
    expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    const path = `/chat/messages?conversation=${storelessGroup._id}`;
    expect(await request(chatWithoutStore.service, chatWithoutStore.people.ben, ['GET', path])).toMatchObject({
      data: [],
    });
  } finally {
    await chatWithoutStore.service.close();
    await proxy.close();
  }
});

describe('a retry of a message with files', () => {
  it('returns the original message, and discards the uploads of the retry', async () => {
    const fields = formFields({ content: 'once', clientMessageId: randomUUID() });
    const files = [['notes.txt', unique()]] as const;
    const message = await sendWithFiles({ fields, files });
    for (const fieldsLast of [false, true]) {
      const { attachments, ...retryFields } = await sendWithFiles({ fields, fieldsLast, files });
      const { attachments: originalAttachments, ...originalFields } = message;
      expect(retryFields).toEqual(originalFields);
      expect(attachments?.map(({ _id }) => _id)).toEqual(originalAttachments?.map(({ _id }) => _id));
    }
    await waitForDeletions();
    expect(await listRows(group._id)).toHaveLength(1);
    expect(await listKeys(bucket)).toHaveLength((await service.query('select from objects')).length);
    expect(await service.query('select from objects where reference_count = 0')).toEqual([]);
    // Retries as JSON, without the files.
    const json = { ...fields, content: 'once' };
    expect(await request<Message>(service, people.member, ['POST', '/chat/messages', json])).toMatchObject({
      _id: message._id,
      attachments: [{ name: 'notes.txt' }],
    });
  });

  it.each([
    ['different content', [['a.txt', 'changed ']], {}],
    ['a different name', [['b.txt', '']], {}],
    [
      'an additional file',
      [
        ['a.txt', ''],
        ['b.txt', 'more '],
      ],
      {},
    ],
    ['different text', [['a.txt', '']], { content: 'Different text' }],
  ] as const)('is rejected with %s', async (_difference, changedFiles, changedFields) => {
    const content = unique();
    const fields = formFields({ content: 'Words', clientMessageId: randomUUID() });
    const message = await sendWithFiles({ fields, files: [['a.txt', content]] });
    const files = changedFiles.map(([name, prefix]) => [name, prefix + content] as const);
    for (const fieldsLast of [false, true])
      expect(await post({ fields: { ...fields, ...changedFields }, fieldsLast, files })).toMatchObject({
        status: 409,
        body: { code: 'conflict', message: 'This clientMessageId was used for another message' },
      });
    await waitForDeletions();
    expect(await listRows(group._id)).toEqual([{ name: 'a.txt' }]);
    await request(service, people.member, ['PATCH', `/chat/messages/${message._id}`, { content: 'Edited' }]);
    expect(await sendWithFiles({ fields, files: [['a.txt', content]] })).toMatchObject({
      _id: message._id,
      content: 'Edited',
    });
  });

  it('is rejected with files that the first request did not have, and accepted without them', async () => {
    const fields = formFields({ content: 'the text alone', clientMessageId: randomUUID() });
    const message = await request<Message>(service, people.member, ['POST', '/chat/messages', fields]);
    for (const fieldsLast of [false, true])
      expect(await post({ fields, fieldsLast, files: [['plan.txt', unique()]] })).toMatchObject({
        status: 409,
        body: {
          code: 'conflict',
          message: 'The text of this message was sent without its files. Send them as another message.',
        },
      });
    await waitForDeletions();
    expect(await listRows(group._id)).toEqual([]);
    expect(await service.query('select from objects where reference_count = 0')).toEqual([]);
    expect(await sendWithFiles({ fields, files: [] })).toMatchObject({ _id: message._id });
    await request(service, people.member, ['DELETE', `/chat/messages/${message._id}`]);
    expect(await sendWithFiles({ fields })).toMatchObject({ _id: message._id, deleted: true });
  });

  it('creates one message for concurrent requests', async () => {
    const fields = formFields({ clientMessageId: randomUUID() });
    const content = unique();
    const messages = await Promise.all([1, 2, 3].map(() => sendWithFiles({ fields, files: [['a.txt', content]] })));
    expect(new Set(messages.map(({ _id }) => _id)).size).toBe(1);
    await waitForDeletions();
    expect(await listRows(group._id)).toHaveLength(1);
    expect(await service.query('select from objects where reference_count <> 1')).toEqual([]);
  });
});

describe('files with the same content', () => {
  it('are one object until their last message is deleted', async () => {
    const content = unique();
    const [firstMessage, secondMessage] = await Promise.all(
      [1, 2].map(() =>
        sendWithFiles({
          files: [
            ['a.txt', content],
            ['b.txt', content],
          ],
        }),
      ),
    );
    if (!firstMessage || !secondMessage) throw new Error('Sending failed');
    await waitForDeletions();
    const keys = async () => [...(await listMessageKeys(firstMessage)), ...(await listMessageKeys(secondMessage))];
    expect(await keys()).toHaveLength(1);
    await request(service, people.member, ['DELETE', `/chat/messages/${firstMessage._id}`]);
    await waitForDeletions();
    expect(await keys()).toHaveLength(1);
    expect(
      await downloadText(
        firstAttachment((await listMessages()).data.find(({ _id }) => _id === secondMessage._id) as Message),
      ),
    ).toBe(content);
    await request(service, people.member, ['DELETE', `/chat/messages/${secondMessage._id}`]);
    await waitFor(async () => (await keys()).length === 0, { description: 'the object to be deleted' });
  });

  it('are separate objects for different users', async () => {
    const content = unique();
    const [firstMessage, secondMessage] = await Promise.all(
      [people.member, people.ben].map((as) => sendWithFiles({ as, files: [['a.txt', content]] })),
    );
    expect(await listMessageKeys(firstMessage as Message)).toHaveLength(1);
    expect(await listMessageKeys(secondMessage as Message)).toHaveLength(1);
  });
});

describe('access to a file', () => {
  it('is limited to current participants of its conversation', async () => {
    const message = await sendWithFiles();
    const { _id } = firstAttachment(message);
    expect(await getAttachment(people.ben, _id)).toMatchObject({
      status: 200,
      body: { _id, message: message._id, conversation: group._id, seq: 1, uploadedBy: { _id: people.member._id } },
    });
    for (const as of [people.stranger, people.admin, people.manager]) {
      expect(await getAttachment(as, _id)).toMatchObject({ status: 404 });
      expect(await service.call('GET', `/chat/conversations/${group._id}/attachments`, { as })).toMatchObject({
        status: 404,
      });
      expect(await post({ as, files: [['a.txt', unique()]] })).toMatchObject({ status: 404 });
    }
    expect(await getAttachment(people.ben, newId())).toMatchObject({ status: 404 });
    expect(await service.call('GET', `/chat/attachments/${_id}`)).toMatchObject({ status: 401 });
    expect(await service.call('GET', '/chat/attachments/limits')).toMatchObject({ status: 401 });
    expect(await service.call('GET', `/chat/conversations/${group._id}/attachments`)).toMatchObject({ status: 401 });
    await request(service, people.member, [
      'DELETE',
      `/chat/conversations/${group._id}/participants/${people.ben._id}`,
    ]);
    expect(await getAttachment(people.ben, _id)).toMatchObject({ status: 404 });
    expect(await getAttachment(people.member, _id)).toMatchObject({ status: 200 });
    await waitForDeletions();
  });

  it('ends when its message is deleted', async () => {
    const message = await sendWithFiles({ fields: formFields({ content: 'gone soon' }) });
    await request(service, people.member, ['DELETE', `/chat/messages/${message._id}`]);
    expect(await getAttachment(people.ben, firstAttachment(message)._id)).toMatchObject({ status: 404 });
    const [deletedMessage] = (await listMessages()).data;
    expect(deletedMessage).toMatchObject({ deleted: true, content: '' });
    expect(deletedMessage).toHaveProperty('attachments', []);
    await waitFor(async () => (await listMessageKeys(message)).length === 0, {
      description: 'the object to be deleted',
    });
  });

  it('includes fileLost if the object store lost the object', async () => {
    const message = await sendWithFiles();
    await service.query('update objects set missing_since = now() where object_key like $1', [`chat/${message._id}/%`]);
    const { body } = await getAttachment(people.ben, firstAttachment(message)._id);
    expect(body).toMatchObject({ fileLost: true });
    expect(body).not.toHaveProperty('downloadUrl');
  });
});

describe('the files of a conversation', () => {
  const getPage = (query: string) =>
    request<{ data: ConversationAttachment[]; total: number; next: string | null }>(service, people.ben, [
      'GET',
      `/chat/conversations/${group._id}/attachments?${query}`,
    ]);

  it('are listed newest first, page by page', async () => {
    const sentNames: string[] = [];
    for (const [n, size] of [3, 1, 2].entries()) {
      const files = Array.from({ length: size }, (_, at) => [`${n}-${at}.txt`, unique()] as const);
      await sendWithFiles({ files });
      await send(service, people.ben, group._id);
      sentNames.unshift(...files.map(([name]) => name).reverse());
    }
    const names: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const currentPage: Awaited<ReturnType<typeof getPage>> = await getPage(`limit=2${next && `&before=${next}`}`);
      expect(currentPage.total).toBe(6);
      names.push(...currentPage.data.map(({ name }) => name));
      next = currentPage.next;
    }
    expect(names).toEqual(sentNames);
    expect(await downloadText((await getPage('limit=1')).data[0] as Attachment)).toMatch(/^Hello /);
    const invalidPath = `/chat/conversations/${group._id}/attachments?before=yesterday`;
    expect(await service.call('GET', invalidPath, { as: people.ben })).toMatchObject({ status: 400 });
  });

  it('are listed separately from its links, which omit edited and deleted messages', async () => {
    const listLinks = async (query = '', as = people.ben) =>
      request<{ data: ConversationLinks[]; next: number | null }>(service, as, [
        'GET',
        `/chat/conversations/${group._id}/links?${query}`,
      ]);
    const sendText = (content: string) => send(service, people.ben, group._id, content);
    const firstMessage = await sendText(
      'See https://example.org/plan. And (HTTPS://example.org/b?c=1#d), or https://example.org/plan!',
    );
    await sendText('No web address: ftp://example.org, http:// and www. and lena@example.org');
    const secondMessage = await sendText('www.example.com, http://example.com');
    const thirdMessage = await sendText('Ours: https://example.net/a_(b)');
    const allLinks = await listLinks();
    expect(allLinks.data.map(({ message, links: urls }) => [message, urls])).toEqual([
      [thirdMessage._id, ['https://example.net/a_(b)']],
      [secondMessage._id, ['http://www.example.com', 'http://example.com']],
      [firstMessage._id, ['https://example.org/plan', 'HTTPS://example.org/b?c=1#d']],
    ]);
    expect(allLinks.data[0]).toMatchObject({
      conversation: group._id,
      seq: thirdMessage.seq,
      sender: { _id: people.ben._id },
    });
    const firstPage = await listLinks('limit=1');
    expect(firstPage).toMatchObject({ data: [{ message: thirdMessage._id }], next: thirdMessage.seq });
    expect(await listLinks(`limit=2&before=${firstPage.next}`)).toMatchObject({
      data: [{ message: secondMessage._id }, { message: firstMessage._id }],
      next: null,
    });
    await request(service, people.ben, ['PATCH', `/chat/messages/${thirdMessage._id}`, { content: 'Nothing' }]);
    await request(service, people.ben, ['DELETE', `/chat/messages/${secondMessage._id}`]);
    expect((await listLinks()).data.map(({ message }) => message)).toEqual([firstMessage._id]);
    const path = `/chat/conversations/${group._id}/links`;
    expect(await service.call('GET', path, { as: people.stranger })).toMatchObject({ status: 404 });
    expect(await service.call('GET', `${path}?before=yesterday`, { as: people.ben })).toMatchObject({ status: 400 });
    expect(await service.call('GET', path)).toMatchObject({ status: 401 });
  });

  it('are read by the primary key, even if there are many', async () => {
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
    expect((await getPage('limit=1&before=5000')).data).toMatchObject([{ seq: 4999 }]);
    expect(await getPage('limit=2&before=5000.0')).toMatchObject({
      total: 10_000,
      data: [{ seq: 4999 }, { seq: 4998 }],
      next: '4998.0',
    });
    const plan = await service.query(
      `explain (format json) ${LIST_ATTACHMENTS_BEFORE.replace(/\$\d/g, (n) => ({ $1: `'${group._id}'`, $2: '5000', $3: '0', $4: '50' })[n] ?? n)}`,
    );
    expect(JSON.stringify(plan)).toContain('attachments_pkey');
    expect(JSON.stringify(plan)).not.toMatch(/Seq Scan[^}]*"Relation Name":"attachments"/);
  });
});

describe('a file that is saved to Document Hub', () => {
  const call = (as: People[keyof People], id: string, key?: string) =>
    service.call('POST', `/chat/attachments/${id}/save`, { as, ...(key && { headers: { 'idempotency-key': key } }) });
  const listDocumentIds = async () =>
    (await service.query('select document_id from saved_attachments')).map(({ document_id }) => String(document_id));
  /** Simulates the documents service: `failure` is its outcome. */
  const save = async (as: People[keyof People], id: string, key?: string, failure: string | null = null) => {
    const knownIds = await listDocumentIds();
    let hasResponded = false;
    const response = call(as, id, key).finally(() => {
      hasResponded = true;
    });
    const findNewId = async () => (await listDocumentIds()).find((id) => !knownIds.includes(id));
    const document = await waitFor(async () => (await findNewId()) ?? (hasResponded ? 'none' : undefined), {
      description: 'the save to be recorded',
    });
    if (document !== 'none')
      await service.deliver(attachmentSettled, {
        documentId: document,
        savedBy: as._id,
        name: 'plan.txt',
        isLate: false,
        failure,
      });
    return response;
  };

  it('is rejected with the reason if the quota is exceeded, and can be saved later', async () => {
    const { _id } = firstAttachment(await sendWithFiles());
    const key = newId();
    const reason = 'You have 1 KB left of your 1 MB for documents, and this file is larger.';
    expect(await save(people.ben, _id, key, reason)).toMatchObject({
      status: 413,
      body: { code: 'too_large', message: reason },
    });
    expect(await save(people.ben, _id, key)).toMatchObject({ status: 201 });
  });

  it('fails while the documents service does not respond', async () => {
    const { _id } = firstAttachment(await sendWithFiles());
    expect(await call(people.ben, _id)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });

  it('is published once per idempotency key, and kept after its message is deleted', async () => {
    const content = unique();
    const message = await sendWithFiles({ files: [['plan.txt', content]] });
    const { _id } = firstAttachment(message);
    const key = newId();
    const response = await save(people.ben, _id, key);
    expect(response).toMatchObject({ status: 201, body: { document: expect.stringMatching(/^[0-9a-f]{24}$/) } });
    expect((await save(people.ben, _id, key)).body).toEqual(response.body);
    const { document } = response.body as { document: string };
    const { data } = await service.waitForEvent(attachmentSaved, ({ documentId }) => documentId === document);
    expect(data).toMatchObject({
      savedBy: people.ben._id,
      name: 'plan.txt',
      extension: 'txt',
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(service.countPublished(attachmentSaved, ({ documentId }) => documentId === document)).toBe(1);
    await request(service, people.member, ['DELETE', `/chat/messages/${message._id}`]);
    await waitForDeletions();
    expect(await listMessageKeys(message)).toEqual([data.objectKey]);
    // Simulates the end of the retention period.
    await service.query(`update saved_attachments set saved_at = now() - interval '8 days' where document_id = $1`, [
      document,
    ]);
    await applyRetention(db(), [SAVED_ATTACHMENT_RETENTION]);
    await waitFor(async () => (await listMessageKeys(message)).length === 0, {
      description: 'the object to be deleted',
    });
  });

  it('is rejected if the file does not exist or the user cannot read it', async () => {
    const message = await sendWithFiles();
    const secondMessage = await sendWithFiles();
    const { _id } = firstAttachment(message);
    for (const as of [people.stranger, people.admin]) expect(await save(as, _id)).toMatchObject({ status: 404 });
    expect(await service.call('POST', `/chat/attachments/${_id}/save`)).toMatchObject({ status: 401 });
    const key = newId();
    expect((await save(people.ben, _id, key)).status).toBe(201);
    expect(await save(people.ben, firstAttachment(secondMessage)._id, key)).toMatchObject({ status: 409 });
    await service.query('update objects set missing_since = now() where object_key like $1', [
      `chat/${secondMessage._id}/%`,
    ]);
    expect(await save(people.ben, firstAttachment(secondMessage)._id)).toMatchObject({ status: 404 });
    await request(service, people.member, ['DELETE', `/chat/messages/${message._id}`]);
    expect(await save(people.ben, _id)).toMatchObject({ status: 404 });
  });
});

describe('object removal', () => {
  it('deletes the objects of a deleted conversation in the background', async () => {
    const message = await sendWithFiles();
    await request(service, people.admin, ['DELETE', `/chat/conversations/${group._id}`]);
    expect(await getAttachment(people.member, firstAttachment(message)._id)).toMatchObject({ status: 404 });
    await waitFor(async () => (await listRows(group._id)).length === 0, { description: 'its files to be removed' });
    await waitFor(async () => (await listMessageKeys(message)).length === 0, {
      description: 'the object to be deleted',
    });
  });

  it('deletes the objects of messages that are deleted by SQL', async () => {
    const unchangedMessage = await sendWithFiles();
    const emptiedMessage = await sendWithFiles();
    const removedMessage = await sendWithFiles();
    const emptyMessage = `update messages set content = '', deleted_at = now(), updated_at = now() where message_id = $1`;
    await service.query(emptyMessage, [emptiedMessage._id]);
    await service.query('delete from messages where message_id = $1', [removedMessage._id]);
    await waitForDeletions();
    expect(await listRows(group._id)).toHaveLength(1);
    for (const message of [emptiedMessage, removedMessage]) expect(await listMessageKeys(message)).toEqual([]);
    expect(await downloadText(firstAttachment((await listMessages()).data[0] as Message))).toMatch(/^Hello/);
    expect(await listMessageKeys(unchangedMessage)).toHaveLength(1);
  });

  it('sweeps orphaned objects, but not those of other services in the same bucket', async () => {
    const config = s3Env.parse(service.env);
    const chatStore = createObjectStore({ config, prefix: 'chat/', log });
    const documentsStore = createObjectStore({ config, prefix: 'documents/', log });
    const fileBytes = async function* () {
      yield Buffer.from('hello');
    };
    try {
      const message = await sendWithFiles();
      await chatStore.put('chat/orphan/1', fileBytes());
      await documentsStore.put('documents/one/file', fileBytes());
      await documentsStore.put('chatter/one/file', fileBytes());
      const { orphans } = await sweepObjects({ db: db(), store: chatStore, log }, new Date(Date.now() + 60_000));
      expect(orphans).toBe(1);
      await waitForDeletions();
      const keys = await listKeys(bucket);
      expect(keys).toEqual(expect.arrayContaining(['documents/one/file', 'chatter/one/file']));
      expect(keys).not.toContain('chat/orphan/1');
      expect(await listMessageKeys(message)).toHaveLength(1);
    } finally {
      chatStore.close();
      documentsStore.close();
    }
  });
});

/** Returns a GIF header with this size. */
const gif = (width: number, height: number) =>
  Uint8Array.from([...Buffer.from('GIF89a'), width, 0, height, 0, 0, 0, 0, 0x3b]);

const PNG_HEAD = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

/** Returns a JPEG header with an EXIF orientation and this size. */
function jpeg(width: number, height: number, orientation: number) {
  const tiff = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const exif = [...Buffer.from('Exif\0\0'), ...tiff];
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0];
  const segment = (marker: number, body: number[]) => [0xff, marker, 0, body.length + 2, ...body];
  return Uint8Array.from([0xff, 0xd8, ...segment(0xe1, exif), ...segment(0xc0, frame), 0xff, 0xd9]);
}
