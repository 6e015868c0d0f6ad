import { documentDeleted, documentRestored, documentUpdated } from '@atrium/proto-events/events/documents';
import type { DeletedDocument, DocumentVersion } from '@atrium/proto-events/http/document-versions';
import type { Document } from '@atrium/proto-events/http/documents';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { recordResponse } from '@atrium/test-kit/coverage-records';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocument, type People, type Started, startDocuments, type UploadOptions } from './factories.ts';

let started: Started;
beforeAll(async () => {
  started = await startDocuments();
});
afterAll(() => started.service.close());

const call = (method: string, path: string, as?: keyof People, headers?: Record<string, string>) =>
  started.service.call(method, `/documents${path}`, {
    ...(as && { as: started.people[as] }),
    ...(headers && { headers }),
  });
const createUploaderDocument = (options: Omit<UploadOptions, 'as'> = {}, as: keyof People = 'uploader') =>
  createDocument(started.service, { ...options, as: started.people[as] });

type AddVersionParams = {
  as?: DirectoryUser;
  service?: TestService;
  content: string;
  fileName?: string;
  headers?: Record<string, string>;
};

async function addVersion(
  id: string,
  { as, service = started.service, content, fileName = 'notes.txt', headers }: AddVersionParams,
) {
  const form = new FormData();
  form.append('file', new Blob([content]), fileName);
  const response = await fetch(`${service.url}/api/documents/${id}/versions`, {
    method: 'POST',
    headers: { ...headers, ...(as && { authorization: `Bearer ${await service.tokens.sign(as)}` }) },
    body: form,
  });
  const result = { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
  recordResponse('documents', { method: 'POST', path: `/documents/${id}/versions` }, result);
  return result;
}

const listVersions = async (id: string, as: keyof People = 'uploader') =>
  ((await call('GET', `/${id}/versions?link=true`, as)).body as { data: DocumentVersion[] }).data;
const fetchText = async (link: string | undefined) => (await fetch(link ?? 'none:')).text();
const UNKNOWN_ID = newId();

describe('POST /documents/:id/versions', () => {
  it('makes the file current, keeps earlier ones, and publishes to readers', async () => {
    const { people, service } = started;
    const { _id } = await createUploaderDocument({ content: 'first' });
    const added = await addVersion(_id, { as: people.uploader, content: 'second', fileName: 'notes.md' });
    expect(added).toMatchObject({ status: 201, body: { _id, name: 'notes.txt', size: 6, version: 2, fileNumber: 2 } });
    expect(await fetchText((added.body as Document).downloadUrl)).toBe('second');
    const event = await service.waitForEvent(documentUpdated, (data) => data.documentId === _id);
    expect(event.data).toMatchObject({ changed: ['file'], version: 2, audience: { userIds: [people.uploader._id] } });
    const [second, first] = await listVersions(_id);
    expect(second).toMatchObject({ number: 2, isCurrent: true, uploadedBy: { _id: people.uploader._id } });
    expect(first).toMatchObject({ number: 1, isCurrent: false, size: 5 });
    expect(await fetchText(first?.downloadUrl)).toBe('first');
  });

  it('creates no version for an unchanged file, and a single version for a retried request', async () => {
    const as = started.people.uploader;
    const { _id } = await createUploaderDocument({ content: 'the same' });
    expect((await addVersion(_id, { as, content: 'the same' })).body).toMatchObject({ fileNumber: 1, version: 1 });
    const headers = { 'idempotency-key': `version-${_id}` };
    await addVersion(_id, { as, content: 'another', headers });
    const retried = await addVersion(_id, { as, content: 'another', headers });
    expect(retried).toMatchObject({ status: 201, body: { fileNumber: 2 } });
    expect((await addVersion(_id, { as, content: 'ANOTHER', headers })).status).toBe(409);
    expect((await call('GET', `/${_id}`, 'uploader')).body).toMatchObject({ fileNumber: 2 });
    const elsewhere = await createUploaderDocument({ content: 'elsewhere' });
    expect((await addVersion(elsewhere._id, { as, content: 'another', headers })).status).toBe(409);
  });

  it('is allowed for the uploader and administrators, and stores nothing for others', async () => {
    const { people, objectKeys } = started;
    const { _id } = await createUploaderDocument({ content: `open ${newId()}`, fields: { visibility: 'public' } });
    const keys = (await objectKeys()).length;
    expect((await addVersion(_id, { as: people.stranger, content: 'x' })).status).toBe(403);
    expect((await addVersion(_id, { content: 'x' })).status).toBe(401);
    const hidden = await createUploaderDocument({ content: `hidden ${newId()}` });
    expect((await addVersion(hidden._id, { as: people.stranger, content: 'x' })).status).toBe(404);
    expect((await addVersion(hidden._id, { as: people.uploader, content: '' })).status).toBe(400);
    expect(await objectKeys()).toHaveLength(keys + 1);
    expect((await addVersion(hidden._id, { as: people.admin, content: 'by an administrator' })).status).toBe(201);
  });
});

it('POST /documents/:id/versions rejects an oversized version, and any while the store is unavailable', async () => {
  const limited = await startDocuments({ MAX_UPLOAD_BYTES: '100', S3_ENDPOINT: started.bucket.endpoint });
  try {
    const { _id } = await createDocument(limited.service, { as: limited.people.uploader, content: 'small' });
    const options = { as: limited.people.uploader, service: limited.service };
    const large = await addVersion(_id, { ...options, content: 'x'.repeat(2 * 1024 * 1024) });
    expect(large).toMatchObject({
      status: 413,
      body: { code: 'too_large', message: 'The file is larger than 100 Bytes' },
    });
  } finally {
    await limited.service.close();
  }
  const storeProxy = await createFaultyProxy(started.bucket.endpoint);
  const proxied = await startDocuments({ S3_ENDPOINT: storeProxy.url });
  try {
    const { _id } = await createDocument(proxied.service, { as: proxied.people.uploader });
    storeProxy.cut();
    const result = await addVersion(_id, { as: proxied.people.uploader, service: proxied.service, content: 'next' });
    expect(result).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  } finally {
    await proxied.service.close();
    await storeProxy.close();
  }
});

describe('the versions of a document', () => {
  it('are readable by its readers, and each link to a version counts as a download', async () => {
    const { people, service } = started;
    const { _id } = await createUploaderDocument({ content: `one ${newId()}` });
    await addVersion(_id, { as: people.uploader, content: `two ${newId()}` });
    for (const path of [`/${_id}/versions`, `/${_id}/versions/1`]) {
      expect((await call('GET', path, 'stranger')).status).toBe(404);
      expect((await call('GET', path)).status).toBe(401);
      expect((await call('GET', path, 'admin')).status).toBe(200);
    }
    expect((await call('GET', `/${_id}/versions?limit=100&page=101`, 'uploader')).status).toBe(400);
    for (const number of ['3', '0', 'first', '99999999999']) {
      expect((await call('GET', `/${_id}/versions/${number}`, 'uploader')).status).toBe(404);
    }
    const { body } = await call('GET', `/${_id}/versions/1`, 'uploader');
    expect(await fetchText((body as DocumentVersion).downloadUrl)).toMatch(/^one /);
    await waitFor(
      async () => (await service.query('select downloads from documents where id = $1', [_id]))[0]?.downloads === 2,
      { description: 'both to be counted' },
    );
  });

  it('are restored as the newest version with the same object', async () => {
    const { people, objectKeys } = started;
    const { _id } = await createUploaderDocument({ content: `first ${newId()}` });
    await addVersion(_id, { as: people.uploader, content: `second ${newId()}` });
    const keys = await objectKeys();
    const restored = await call('POST', `/${_id}/versions/1/restore`, 'admin');
    expect(restored).toMatchObject({ status: 200, body: { fileNumber: 3, version: 3 } });
    const { downloadUrl } = (await call('GET', `/${_id}`, 'admin')).body as Document;
    expect(await fetchText(downloadUrl)).toMatch(/^first /);
    expect((await listVersions(_id))[0]).toMatchObject({ restoredFrom: 1, uploadedBy: { _id: people.admin._id } });
    expect(await objectKeys()).toEqual(keys);
    // It is the current version now.
    expect((await call('POST', `/${_id}/versions/3/restore`, 'uploader')).body).toMatchObject({ fileNumber: 3 });
    const headers = { 'idempotency-key': `restore-${_id}` };
    await call('POST', `/${_id}/versions/2/restore`, 'uploader', headers);
    expect((await call('POST', `/${_id}/versions/2/restore`, 'uploader', headers)).body).toMatchObject({
      fileNumber: 4,
    });
    expect((await call('POST', `/${_id}/versions/1/restore`, 'uploader', headers)).status).toBe(409);
    expect((await call('POST', `/${_id}/versions/9/restore`, 'uploader')).status).toBe(404);
    expect((await call('POST', `/${_id}/versions/1/restore`, 'stranger')).status).toBe(404);
    expect((await call('POST', `/${_id}/versions/1/restore`)).status).toBe(401);
    const publicDocument = await createUploaderDocument({ fields: { visibility: 'public' } });
    expect((await call('POST', `/${publicDocument._id}/versions/1/restore`, 'stranger')).status).toBe(403);
    expect((await call('POST', `/${UNKNOWN_ID}/versions/1/restore`, 'uploader')).status).toBe(404);
  });
});

it('a retry by a user who lost access returns neither document nor version', async () => {
  const { service } = started;
  const formerAdmin = buildUser({ role: 'admin' });
  service.addToDirectory(formerAdmin);
  const { _id } = await createUploaderDocument({ content: `secret ${newId()}` });
  const headers = { 'idempotency-key': `former-${_id}` };
  const restore = (as: DirectoryUser) => service.call('POST', `/documents/${_id}/versions/1/restore`, { as, headers });
  const add = (as: DirectoryUser) =>
    addVersion(_id, { as, content: 'another', headers: { 'idempotency-key': `v-${_id}` } });
  expect([(await restore(formerAdmin)).status, (await add(formerAdmin)).status]).toEqual([200, 201]);
  const member: DirectoryUser = { ...formerAdmin, role: 'member', version: 2 };
  service.addToDirectory(member);
  expect([(await restore(member)).status, (await add(member)).status]).toEqual([404, 404]);
});

describe('the trash', () => {
  const listTrash = async (as: keyof People) =>
    ((await call('GET', '/trash?limit=100', as)).body as { data: DeletedDocument[] }).data.map(({ _id }) => _id);

  it('keeps a deleted document for its uploader and administrators, and restores it unchanged', async () => {
    const { people, service } = started;
    const { _id } = await createUploaderDocument({
      content: `deleted ${newId()}`,
      fields: { visibility: 'public', tags: 'a' },
    });
    expect((await call('DELETE', `/${_id}`, 'admin')).status).toBe(204);
    await service.waitForEvent(documentDeleted, (data) => data.documentId === _id && data.version === 2);
    for (const as of ['uploader', 'stranger', 'admin'] as const) {
      expect((await call('GET', `/${_id}`, as)).status).toBe(404);
      expect((await call('GET', `/${_id}/versions`, as)).status).toBe(404);
    }
    expect(await listTrash('uploader')).toContain(_id);
    expect(await listTrash('admin')).toContain(_id);
    expect(await listTrash('stranger')).not.toContain(_id);
    expect((await call('GET', '/trash')).status).toBe(401);
    expect((await call('GET', '/trash?limit=100&page=101', 'uploader')).status).toBe(400);
    const [row] = ((await call('GET', '/trash', 'uploader')).body as { data: DeletedDocument[] }).data;
    expect(row).toMatchObject({ _id, name: 'notes.txt', deletedBy: { _id: people.admin._id } });
    expect(Date.parse(row?.goneAt ?? '') - Date.parse(row?.deletedAt ?? '')).toBe(30 * 24 * 3_600_000);

    expect((await call('POST', `/trash/${_id}/restore`, 'stranger')).status).toBe(404);
    expect((await call('POST', `/trash/${_id}/restore`)).status).toBe(401);
    const restored = await call('POST', `/trash/${_id}/restore`, 'uploader');
    expect(restored).toMatchObject({ status: 200, body: { _id, tags: ['a'], visibility: 'public', version: 3 } });
    const event = await service.waitForEvent(documentRestored, (data) => data.documentId === _id);
    expect(event.data).toMatchObject({ version: 3, audience: { everyone: true } });
    expect((await call('GET', `/${_id}`, 'stranger')).status).toBe(200);
    expect((await call('POST', `/trash/${_id}/restore`, 'uploader')).status).toBe(404);
  });

  it('is emptied manually or after 30 days, which removes the objects of every version', async () => {
    const { people, service, objectKeys } = started;
    const listKeys = async (id: string) => (await objectKeys()).filter((key) => key.includes(id));
    const { _id } = await createUploaderDocument({ content: `gone ${newId()}` });
    await addVersion(_id, { as: people.uploader, content: `also gone ${newId()}` });
    expect((await call('DELETE', `/trash/${_id}`, 'uploader')).status).toBe(404);
    await call('DELETE', `/${_id}`, 'uploader');
    expect(await listKeys(_id)).toHaveLength(2);
    expect((await call('DELETE', `/trash/${_id}`, 'stranger')).status).toBe(404);
    expect((await call('DELETE', `/trash/${_id}`)).status).toBe(401);
    expect((await call('DELETE', `/trash/${_id}`, 'uploader')).status).toBe(204);
    await waitFor(async () => (await listKeys(_id)).length === 0, { description: 'both objects to be removed' });
    expect(await listTrash('uploader')).not.toContain(_id);
    expect(await service.query('select from objects where object_key like $1', [`%${_id}%`])).toEqual([]);
  });
});

it('deletes a document whose versions share an object', async () => {
  const { people, service, objectKeys } = started;
  const { _id } = await createUploaderDocument({ content: `shared by two versions ${newId()}` });
  await addVersion(_id, { as: people.uploader, content: `second ${newId()}` });
  // The first object now has two references.
  await call('POST', `/${_id}/versions/1/restore`, 'uploader');
  await call('DELETE', `/${_id}`, 'uploader');
  expect((await call('DELETE', `/trash/${_id}`, 'uploader')).status).toBe(204);
  await waitFor(async () => !(await objectKeys()).some((key) => key.includes(_id)), {
    description: 'both objects to be removed',
  });
  expect(await service.query('select from all_documents where id = $1', [_id])).toEqual([]);
});

describe('identical content', () => {
  it('by the same user is one object until its last reference is removed', async () => {
    const { people, objectKeys } = started;
    const content = `twice ${newId()}`;
    const keys = (await objectKeys()).length;
    const [first, second] = await Promise.all([
      createUploaderDocument({ content }),
      createUploaderDocument({ content }),
    ]);
    const other = await createUploaderDocument({ content }, 'friend');
    await waitFor(async () => (await objectKeys()).length === keys + 2, { description: 'one object per user' });
    const remove = async (id: string, as: keyof People) => {
      await call('DELETE', `/${id}`, as);
      return call('DELETE', `/trash/${id}`, as);
    };
    expect((await remove(first._id, 'uploader')).status).toBe(204);
    const { body } = await call('GET', `/${second._id}`, 'uploader');
    expect(await fetchText((body as Document).downloadUrl)).toBe(content);
    // The content is uploaded again while its last reference is deleted.
    await Promise.all([remove(second._id, 'uploader'), createUploaderDocument({ content })]);
    const { data } = (await call('GET', '?limit=1&link=true', 'uploader')).body as { data: Document[] };
    await waitFor(async () => (await objectKeys()).length === keys + 2, {
      description: 'unreferenced objects to be removed',
    });
    expect(await fetchText(data[0]?.downloadUrl)).toBe(content);
    expect(other.sha256).toBe(first.sha256);
    expect(people.friend._id).toBe(other.uploadedBy._id);
  });

  it('counts toward the quota once', async () => {
    const as = started.people.colleague;
    const getUsedBytes = async () =>
      ((await started.service.call('GET', '/documents/limits', { as })).body as { usedBytes: number }).usedBytes;
    await createUploaderDocument({ content: 'ten bytes.' }, 'colleague');
    await createUploaderDocument({ content: 'ten bytes.' }, 'colleague');
    expect(await getUsedBytes()).toBe(10);
  });
});
