import { sweepObjects } from '@atrium/object-store/objects/sweep-objects';
import { s3Env } from '@atrium/object-store/s3/config';
import { createObjectStore } from '@atrium/object-store/s3/object-store';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import {
  bucket,
  db,
  downloadText,
  firstAttachment,
  formFields,
  getAttachment,
  group,
  listMessageKeys,
  listMessages,
  listRows,
  log,
  people,
  post,
  sendWithFiles,
  service,
  unique,
  waitForDeletions,
} from './attachments.ts';
import { request } from './factories.ts';
import { listKeys } from './files.ts';

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
