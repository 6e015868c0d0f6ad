import { createHash } from 'node:crypto';
import { attachmentSaved } from '@atrium/proto-events/events/chat';
import { attachmentSettled, documentUploaded } from '@atrium/proto-events/events/documents';
import type { Document } from '@atrium/proto-events/http/documents';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocument, type Started, startDocuments } from './factories.ts';

let started: Started;
beforeAll(async () => {
  started = await startDocuments({ USER_STORAGE_QUOTA_BYTES: '10000' });
});
afterAll(() => started.service.close());

/** Saves a file below chat's prefix as a document; the event is delivered `times` times. */
async function save({ as = started.people.friend, content = `plan ${newId()}`, isStored = true, times = 1 }) {
  const { objects, bucket, service } = started;
  const objectKey = `chat/${newId()}/${newId()}`;
  if (isStored) await objects.putObject(bucket.bucket, objectKey, content);
  const documentId = newId();
  const sha256 = createHash('sha256').update(content).digest('hex');
  const facts = { name: 'plan.txt', extension: 'txt', mimetype: 'text/plain; charset=utf-8', size: content.length };
  await service.deliver(attachmentSaved, { documentId, savedBy: as._id, ...facts, sha256, objectKey }, times, as._id);
  return { documentId, objectKey, content, facts };
}
const read = async (id: string, as = started.people.friend) => started.service.call('GET', `/documents/${id}`, { as });
const settled = () =>
  waitFor(async () => (await started.service.query('select from objects_to_delete')).length === 0, {
    description: 'abandoned objects to be removed',
  });

describe('a saved attachment', () => {
  it('becomes one private document of the user, with its own object', async () => {
    const { documentId, objectKey, content, facts } = await save({ times: 2 });
    const { status, body } = await read(documentId);
    const { extension: _, ...shown } = facts;
    expect({ status, body }).toMatchObject({ status: 200, body: { ...shown, visibility: 'private' } });
    expect((await read(documentId, started.people.stranger)).status).toBe(404);
    expect(started.service.countPublished(documentUploaded, (data) => data.documentId === documentId)).toBe(1);
    await settled();
    const own = (await started.objectKeys()).filter((key) => key.startsWith(`documents/${documentId}/`));
    expect(own).toHaveLength(1);
    // Independent of the message.
    await started.objects.removeObject(started.bucket.bucket, objectKey);
    expect(await (await fetch((body as Document).downloadUrl ?? '')).text()).toBe(content);
  });

  it('shares the object of identical content that the user already has', async () => {
    const content = `the same ${newId()}`;
    const before = await createDocument(started.service, { as: started.people.friend, content });
    const { documentId } = await save({ content });
    expect((await read(documentId)).body).toMatchObject({ sha256: before.sha256 });
    await settled();
    expect((await started.objectKeys()).filter((key) => key.startsWith(`documents/${documentId}/`))).toEqual([]);
  });

  it('reserves quota before it is copied', async () => {
    const { documentId } = await save({});
    const settled = await started.service.waitForEvent(attachmentSettled, (data) => data.documentId === documentId);
    expect(settled.data).toMatchObject({
      failure: null,
      isLate: false,
      name: 'plan.txt',
      savedBy: started.people.friend._id,
    });
    expect(await started.service.query('select from attachment_saves where document_id = $1', [documentId])).toEqual(
      [],
    );
  });

  it('is not saved if its file is lost or exceeds the quota, and its id then returns the reason', async () => {
    const lost = await save({ isStored: false });
    const large = await save({ content: 'x'.repeat(10_001), times: 2 });
    await settled();
    for (const [{ documentId }, reason, isLate] of [
      [lost, /^The file is no longer in storage\.$/, true],
      [large, /left of your .* for documents, and this file is larger/, false],
    ] as const) {
      const failure = expect.stringMatching(reason);
      expect(await read(documentId)).toMatchObject({ status: 404, body: { message: failure } });
      expect((await read(documentId, started.people.stranger)).body).toMatchObject({ message: 'Document not found' });
      await started.service.waitForEvent(
        attachmentSettled,
        (data) => data.documentId === documentId && data.isLate === isLate && reason.test(data.failure ?? ''),
      );
      expect((await started.objectKeys()).filter((key) => key.startsWith(`documents/${documentId}/`))).toEqual([]);
    }
    const [row] = await started.service.query(
      'select bytes, (select coalesce(sum(size), 0)::bigint from objects) as summed from storage_usage',
    );
    expect(row?.bytes).toBe(row?.summed);
  });
});
