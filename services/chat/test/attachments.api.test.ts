import { createHash } from 'node:crypto';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { newId } from '@atrium/service-kit/process/new-id';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { describe, expect, it } from '@jest/globals';
import {
  bucket,
  download,
  downloadText,
  errorBody,
  firstAttachment,
  formFields,
  group,
  listMessages,
  MAX_FILE_BYTES,
  people,
  post,
  sendWithFiles,
  service,
  unique,
  waitForDeletions,
} from './attachments.ts';
import { createGroup, request, send, startChat } from './factories.ts';
import { listKeys, postFiles, sendFiles } from './files.ts';
import { connectChat } from './sockets.ts';

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
          ['b.txt', 'x'.repeat(MAX_FILE_BYTES + 1)],
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
