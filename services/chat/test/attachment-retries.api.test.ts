import { randomUUID } from 'node:crypto';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import {
  bucket,
  downloadText,
  firstAttachment,
  formFields,
  group,
  listMessageKeys,
  listMessages,
  listRows,
  people,
  post,
  sendWithFiles,
  service,
  unique,
  waitForDeletions,
} from './attachments.ts';
import { request, send } from './factories.ts';
import { listKeys } from './files.ts';

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

  it('returns the original reply, and not its copy in the conversation', async () => {
    const root = await send(service, people.ben, group._id);
    const thread = { thread: root._id, alsoInConversation: 'true' };
    const fields = formFields({ content: 'once', clientMessageId: randomUUID(), ...thread });
    const files = [['notes.txt', unique()]] as const;
    const reply = await sendWithFiles({ fields, files });
    await send(service, people.ben, group._id);
    const objects = await service.query('select from objects');
    const { _id, seq } = await sendWithFiles({ fields, files });
    expect({ _id, seq }).toEqual({ _id: reply._id, seq: 1 });
    await request(service, people.member, ['POST', `/chat/conversations/${group._id}/archive`]);
    expect(await post({ fields, files })).toMatchObject({ status: 201, body: { _id, seq } });
    const json = { ...fields, alsoInConversation: true };
    expect(await request<Message>(service, people.member, ['POST', '/chat/messages', json])).toMatchObject({
      _id,
      seq,
    });
    expect((await post({ fields: { ...fields, clientMessageId: randomUUID() }, files })).status).toBe(409);
    expect(await service.query('select from objects')).toHaveLength(objects.length);
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
    const references = `select o.reference_count from objects o join attachments a using (object_key)
      where a.conversation_id = $1`;
    expect(await service.query(references, [group._id])).toEqual([{ reference_count: 1 }]);
    expect(await service.query('select from objects where reference_count = 0')).toEqual([]);
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
