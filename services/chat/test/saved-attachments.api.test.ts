import { createHash } from 'node:crypto';
import { attachmentSaved } from '@atrium/proto-events/events/chat';
import { attachmentSettled } from '@atrium/proto-events/events/documents';
import { applyRetention } from '@atrium/service-kit/postgres/housekeeping';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { SAVED_ATTACHMENT_RETENTION } from '../src/model/messages/saved-attachments.ts';
import {
  db,
  firstAttachment,
  listMessageKeys,
  people,
  sendWithFiles,
  service,
  unique,
  waitForDeletions,
} from './attachments.ts';
import { type People, request } from './factories.ts';

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
