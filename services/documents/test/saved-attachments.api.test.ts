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

/** Requests that a chat file is saved as a document; delivers the event `times` times. */
async function requestSave({ as = started.people.friend, content = `plan ${newId()}`, isStored = true, times = 1 }) {
  const { objects, bucket, service } = started;
  const objectKey = `chat/${newId()}/${newId()}`;
  if (isStored) await objects.putObject(bucket.bucket, objectKey, content);
  const documentId = newId();
  const sha256 = createHash('sha256').update(content).digest('hex');
  const fileData = { name: 'plan.txt', extension: 'txt', mimetype: 'text/plain; charset=utf-8', size: content.length };
  await service.deliver(
    attachmentSaved,
    { documentId, savedBy: as._id, ...fileData, sha256, objectKey },
    times,
    as._id,
  );
  return { documentId, objectKey, content, fileData };
}
const read = async (id: string, as = started.people.friend) => started.service.call('GET', `/documents/${id}`, { as });
const waitForRemovals = () =>
  waitFor(async () => (await started.service.query('select from objects_to_delete')).length === 0, {
    description: 'abandoned objects to be removed',
  });

describe('a saved attachment', () => {
  it('becomes one private document of the user, with its own object', async () => {
    const { documentId, objectKey, content, fileData } = await requestSave({ times: 2 });
    const { status, body } = await read(documentId);
    const { extension: _, ...visibleData } = fileData;
    expect({ status, body }).toMatchObject({ status: 200, body: { ...visibleData, visibility: 'private' } });
    expect((await read(documentId, started.people.stranger)).status).toBe(404);
    expect(started.service.countPublished(documentUploaded, (data) => data.documentId === documentId)).toBe(1);
    await waitForRemovals();
    const keys = (await started.objectKeys()).filter((key) => key.startsWith(`documents/${documentId}/`));
    expect(keys).toHaveLength(1);
    // The document does not depend on the object of the message.
    await started.objects.removeObject(started.bucket.bucket, objectKey);
    expect(await (await fetch((body as Document).downloadUrl ?? '')).text()).toBe(content);
  });

  it('shares the object of identical content that the user already has', async () => {
    const content = `identical ${newId()}`;
    const existing = await createDocument(started.service, { as: started.people.friend, content });
    const { documentId } = await requestSave({ content });
    expect((await read(documentId)).body).toMatchObject({ sha256: existing.sha256 });
    await waitForRemovals();
    expect((await started.objectKeys()).filter((key) => key.startsWith(`documents/${documentId}/`))).toEqual([]);
  });

  it('reserves quota before it is copied', async () => {
    const { documentId } = await requestSave({});
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
    const lostFile = await requestSave({ isStored: false });
    const largeFile = await requestSave({ content: 'x'.repeat(10_001), times: 2 });
    await waitForRemovals();
    for (const [{ documentId }, reason, isLate] of [
      [lostFile, /^The file is no longer in storage\.$/, true],
      [largeFile, /left of your .* for documents, and this file is larger/, false],
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
