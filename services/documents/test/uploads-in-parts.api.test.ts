import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { sweepObjects } from '@atrium/object-store/objects/sweep-objects';
import { createObjectStore } from '@atrium/object-store/s3/object-store';
import { documentUploaded } from '@atrium/proto-events/events/documents';
import { projectCreated, projectUpdated } from '@atrium/proto-events/events/projects';
import type { DocumentUpload, UnfinishedUpload } from '@atrium/proto-events/http/document-uploads';
import type { Document } from '@atrium/proto-events/http/documents';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { applyRetention } from '@atrium/service-kit/postgres/housekeeping';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { recordResponse } from '@atrium/test-kit/coverage-records';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from '../src/config.ts';
import { ABANDONED_UPLOADS } from '../src/uploads/upload-repository.ts';
import { createDocument, type People, type Started, startDocuments, upload as uploadForm } from './factories.ts';
import { beginUpload, callUploads, putPart, slicePart } from './upload-parts.ts';

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
const QUOTA_BYTES = 64 * MIB;

let started: Started;
let storeProxy: FaultyProxy;
beforeAll(async () => {
  const { testBucket } = await import('@atrium/test-kit/backing-servers');
  storeProxy = await createFaultyProxy((await testBucket()).endpoint);
  started = await startDocuments({
    S3_ENDPOINT: storeProxy.url,
    USER_STORAGE_QUOTA_BYTES: String(QUOTA_BYTES),
    MAX_UPLOAD_BYTES: String(48 * MIB),
    MIN_UPLOAD_BYTES_PER_SECOND: '1000',
    UPLOAD_STALL_WINDOW_SECONDS: '1',
  });
});
beforeEach(() => storeProxy.restore());
afterAll(async () => {
  await started.service.close();
  await storeProxy.close();
});

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
/** Two parts and a remainder; avoids a random match with a known signature. */
const buildFile = (bytes = 2 * PART_BYTES + 5) => {
  const content = randomBytes(bytes);
  content.fill(0, 0, Math.min(16, bytes));
  return content;
};

const call = (name: keyof People, method: string, path = '', options: { body?: unknown; bytes?: Uint8Array } = {}) =>
  callUploads(started.service, method, path, { as: started.people[name], ...options });
const begin = (name: keyof People, content: Uint8Array, fields: Record<string, unknown> = {}) =>
  beginUpload(started.service, { as: started.people[name], content, fields });
const sendPart = (name: keyof People, upload: DocumentUpload, content: Uint8Array, number: number) =>
  putPart(started.service, { as: started.people[name], upload, content, number });
const sendAllParts = async (name: keyof People, upload: DocumentUpload, content: Uint8Array) => {
  for (let number = 1; number <= Math.ceil(content.length / PART_BYTES); number += 1)
    expect(await sendPart(name, upload, content, number)).toBe(204);
};
const listParts = async (name: keyof People, id: string) =>
  ((await call(name, 'GET', `/${id}`)).body as DocumentUpload).parts;
const getLimits = async (name: keyof People) =>
  (await started.service.call('GET', '/documents/limits', { as: started.people[name] })).body as {
    usedBytes: number;
    availableBytes: number;
  };
const listStoreUploads = async () =>
  (await started.objects.listIncompleteUploadsQuery(started.bucket.bucket, '', '', '', '')).uploads.map(
    ({ key }) => key,
  );
/** Cancels a user's uploads and deletes their documents, so that tests do not affect each other. */
const removeAll = async (name: keyof People) => {
  const { service, people } = started;
  const as = people[name];
  for (const { _id } of ((await call(name, 'GET')).body as { data: UnfinishedUpload[] }).data)
    expect((await call(name, 'DELETE', `/${_id}`)).status).toBe(204);
  const { data } = (await service.call('GET', `/documents?uploadedBy=${as._id}&limit=100`, { as })).body as {
    data: Document[];
  };
  for (const { _id } of data) {
    await service.call('DELETE', `/documents/${_id}`, { as });
    await service.call('DELETE', `/documents/trash/${_id}`, { as });
  }
};

describe('an upload in parts', () => {
  it('accepts parts in any order and repeatedly, and becomes one document even if completed twice', async () => {
    const { service, people } = started;
    const content = buildFile();
    const upload = await begin('uploader', content, { name: 'The plan', tags: ['spring'], lastModified: 17 });
    expect(upload).toMatchObject({
      size: content.length,
      partBytes: PART_BYTES,
      parts: [],
      lastModified: 17,
      document: null,
    });
    for (const number of [3, 1, 1]) expect(await sendPart('uploader', upload, content, number)).toBe(204);
    expect(await listParts('uploader', upload._id)).toEqual([1, 3]);
    const early = await call('uploader', 'POST', `/${upload._id}/complete`);
    expect(early).toMatchObject({ status: 409, body: { message: 'Parts of the file are still missing' } });
    expect(await sendPart('uploader', upload, content, 2)).toBe(204);

    const complete = () => call('uploader', 'POST', `/${upload._id}/complete`);
    const responses = [...(await Promise.all([complete(), complete()])), await complete()];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [document] = responses.map(({ body }) => body as Document);
    expect(document).toMatchObject({
      name: 'The plan',
      tags: ['spring'],
      visibility: 'private',
      size: content.length,
      sha256: hashOf(content),
      mimetype: 'application/octet-stream',
    });
    expect(new Set(responses.map(({ body }) => (body as Document)._id)).size).toBe(1);
    const bytes = await (await fetch(document?.downloadUrl ?? '')).arrayBuffer();
    expect(hashOf(new Uint8Array(bytes))).toBe(hashOf(content));
    await service.waitForEvent(documentUploaded, ({ documentId }) => documentId === document?._id);
    expect(service.countPublished(documentUploaded, ({ documentId }) => documentId === document?._id)).toBe(1);

    // It is no longer listed, and late parts are treated as retries.
    expect((await call('uploader', 'GET')).body).toEqual({ data: [] });
    expect(await listParts('uploader', upload._id)).toEqual([1, 2, 3]);
    expect(await sendPart('uploader', upload, content, 2)).toBe(204);
    expect(await call('uploader', 'DELETE', `/${upload._id}`)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    expect((await service.call('GET', `/documents/${document?._id}`, { as: people.uploader })).status).toBe(200);
    await removeAll('uploader');
  });

  it('detects the type from the bytes, regardless of the name', async () => {
    const content = new TextEncoder().encode(`{"a": "${'x'.repeat(100)}"}`);
    const upload = await begin('uploader', content, { fileName: '../photo.png' });
    await sendAllParts('uploader', upload, content);
    const { body } = await call('uploader', 'POST', `/${upload._id}/complete`);
    expect(body).toMatchObject({ name: 'photo.png', mimetype: 'application/json' });
    await removeAll('uploader');
  });

  it('uses the file name if the requested name is invisible', async () => {
    const content = buildFile(100);
    const upload = await begin('uploader', content, { name: ' \u3164\u2800' });
    await sendAllParts('uploader', upload, content);
    expect((await call('uploader', 'POST', `/${upload._id}/complete`)).body).toMatchObject({ name: 'large.bin' });
    await removeAll('uploader');
  });

  it('begins once per Idempotency-Key, and reuses the object of identical content', async () => {
    const { service, people, objectKeys } = started;
    const content = buildFile(9 * MIB);
    const as = people.uploader;
    const first = await beginUpload(service, { as, content, key: 'the first' });
    await sendPart('uploader', first, content, 1);
    const retried = await beginUpload(service, { as, content, key: 'the first' });
    expect(retried).toMatchObject({ _id: first._id, parts: [1] });
    const other = { fileName: 'other', size: 1 };
    const rejected = await callUploads(service, 'POST', '', {
      as,
      body: other,
      headers: { 'idempotency-key': 'the first' },
    });
    expect(rejected.status).toBe(409);
    expect(await listStoreUploads()).toHaveLength(1);
    await sendPart('uploader', first, content, 2);
    expect((await call('uploader', 'POST', `/${first._id}/complete`)).status).toBe(201);

    const keys = await objectKeys();
    const duplicate = await begin('uploader', content);
    await sendAllParts('uploader', duplicate, content);
    expect((await call('uploader', 'POST', `/${duplicate._id}/complete`)).status).toBe(201);
    await waitFor(async () => (await objectKeys()).length === keys.length, {
      description: 'the second object to be removed',
    });
    await removeAll('uploader');
  });

  it('adds a version to a document that the caller can edit', async () => {
    const { service, people } = started;
    const { _id } = await createDocument(service, { as: people.uploader, fields: { visibility: 'public' } });
    const content = buildFile(9 * MIB);
    const upload = await begin('uploader', content, { document: _id });
    expect(upload.document).toBe(_id);
    await sendAllParts('uploader', upload, content);
    const { body } = await call('uploader', 'POST', `/${upload._id}/complete`);
    expect(body).toMatchObject({ _id, name: 'notes.txt', fileNumber: 2, sha256: hashOf(content) });
    expect((await call('uploader', 'POST', `/${upload._id}/complete`)).body).toMatchObject({ _id, fileNumber: 2 });
    const fields = { fileName: 'x', size: 10, document: _id };
    expect((await call('colleague', 'POST', '', { body: fields })).status).toBe(403);
    expect((await call('colleague', 'POST', '', { body: { ...fields, document: newId() } })).status).toBe(404);
    await removeAll('uploader');
  });
});

describe('an upload in parts by another user', () => {
  it('is not found, even by administrators', async () => {
    const content = buildFile(100);
    const upload = await begin('uploader', content);
    for (const name of ['friend', 'admin'] as const) {
      expect((await call(name, 'GET', `/${upload._id}`)).status).toBe(404);
      expect(await sendPart(name, upload, content, 1)).toBe(404);
      expect((await call(name, 'POST', `/${upload._id}/complete`)).status).toBe(404);
      expect((await call(name, 'DELETE', `/${upload._id}`)).status).toBe(404);
      expect((await call(name, 'GET')).body).toEqual({ data: [] });
    }
    for (const [method, path] of [
      ['POST', ''],
      ['GET', ''],
      ['GET', `/${upload._id}`],
      ['PUT', `/${upload._id}/parts/1`],
      ['POST', `/${upload._id}/complete`],
      ['DELETE', `/${upload._id}`],
    ] as const)
      expect((await callUploads(started.service, method, path)).status).toBe(401);
    expect(await listParts('uploader', upload._id)).toEqual([]);
    await removeAll('uploader');
  });
});

describe('an upload in parts', () => {
  it('rejects an empty, oversized, or over-quota file before any byte is sent', async () => {
    const tryBegin = (size: number) => call('friend', 'POST', '', { body: { fileName: 'a.bin', size } });
    expect(await tryBegin(0)).toMatchObject({ status: 400, body: { message: ['The file is empty'] } });
    expect(await tryBegin(49 * MIB)).toMatchObject({
      status: 413,
      body: { message: 'The file is larger than 48 MB' },
    });
    expect((await tryBegin(40 * MIB)).status).toBe(201);
    expect(await getLimits('friend')).toMatchObject({ usedBytes: 0, availableBytes: 24 * MIB });
    expect((await tryBegin(25 * MIB)).status).toBe(413);
    const formUpload = await uploadForm(started.service, {
      as: started.people.friend,
      content: new Uint8Array(25 * MIB),
    });
    expect(formUpload.status).toBe(413);
    // Concurrent uploads cannot share the remaining quota.
    expect((await Promise.all([tryBegin(20 * MIB), tryBegin(20 * MIB)])).map(({ status }) => status).sort()).toEqual([
      201, 413,
    ]);
    await removeAll('friend');
    expect(await getLimits('friend')).toMatchObject({ usedBytes: 0, availableBytes: QUOTA_BYTES });
    expect(await listStoreUploads()).toEqual([]);
  });

  it('rejects completion over the quota, and can be completed later', async () => {
    const { service, people } = started;
    const content = buildFile(9 * MIB);
    const upload = await begin('friend', content);
    await sendAllParts('friend', upload, content);
    // Uses up the quota without a reservation.
    const values = [people.friend._id, 60 * MIB];
    const insert = `insert into objects (object_key, owner_id, sha256, size, mimetype) values ('x', $1, 'x', $2, 'x')`;
    await service.query(insert, values);
    expect((await call('friend', 'POST', `/${upload._id}/complete`)).status).toBe(413);
    await service.query(`delete from objects where object_key = 'x'`);
    expect((await call('friend', 'POST', `/${upload._id}/complete`)).status).toBe(201);
    await removeAll('friend');
  });

  it('rejects parts with a wrong size or number, and parts that stall', async () => {
    const { service, people } = started;
    const content = buildFile(9 * MIB);
    const upload = await begin('uploader', content);
    const path = `/${upload._id}/parts`;
    const shortPart = slicePart(content, upload, 1).subarray(1);
    expect(await call('uploader', 'PUT', `${path}/1`, { bytes: shortPart })).toMatchObject({
      status: 400,
      body: { message: ['The part has the wrong size'] },
    });
    for (const number of [0, 3, 10_001])
      expect((await call('uploader', 'PUT', `${path}/${number}`, { bytes: shortPart })).status).toBe(404);

    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    const token = await service.tokens.sign(people.uploader);
    socket.write(
      `PUT /api/documents/uploads${path}/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${PART_BYTES}\r\n\r\nslow`,
    );
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(/^HTTP\/1\.1 408 /);
    const rejected = { status: 408, body: { code: 'request_timeout' } };
    recordResponse('documents', { method: 'PUT', path: `/documents/uploads${path}/1` }, rejected);
    socket.destroy();
    expect(await listParts('uploader', upload._id)).toEqual([]);
    await removeAll('uploader');
  });

  it('rejects a project that is unknown, of other users, or left in the meantime', async () => {
    const { service, people } = started;
    const project = newId();
    const buildProjectData = (version: number, memberIds: string[]) => {
      return {
        projectId: project,
        name: 'Portal',
        status: 'in-progress',
        managerId: people.manager._id,
        memberIds,
        version,
      };
    };
    await service.deliver(projectCreated, {
      ...buildProjectData(1, [people.colleague._id]),
      createdBy: people.admin._id,
    });
    const body = { fileName: 'a.bin', size: 9, project };
    expect((await call('colleague', 'POST', '', { body: { ...body, project: newId() } })).status).toBe(400);
    expect((await call('stranger', 'POST', '', { body })).status).toBe(403);
    const content = buildFile(9);
    const upload = await begin('colleague', content, { project });
    await sendAllParts('colleague', upload, content);
    await service.deliver(projectUpdated, { ...buildProjectData(2, []), progress: 0, changed: ['memberIds'] });
    expect((await call('colleague', 'POST', `/${upload._id}/complete`)).status).toBe(403);
    await removeAll('colleague');
  });

  it('rejects the 101st unfinished upload of a user', async () => {
    const tryBegin = () => call('manager', 'POST', '', { body: { fileName: 'a.bin', size: 1 } });
    for (let count = 0; count < 100; count += 1) expect((await tryBegin()).status).toBe(201);
    expect(await tryBegin()).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await removeAll('manager');
    expect(await listStoreUploads()).toEqual([]);
  });
});

describe('without the object store, an upload in parts', () => {
  it('cannot begin, continue, or complete, and resumes when the store recovers', async () => {
    const content = buildFile(9 * MIB);
    const upload = await begin('uploader', content);
    expect(await sendPart('uploader', upload, content, 1)).toBe(204);
    storeProxy.cut();
    expect((await call('uploader', 'POST', '', { body: { fileName: 'a', size: 1 } })).status).toBe(503);
    expect((await call('uploader', 'GET', `/${upload._id}`)).status).toBe(503);
    expect(await sendPart('uploader', upload, content, 2)).toBe(503);
    expect((await call('uploader', 'POST', `/${upload._id}/complete`)).status).toBe(503);
    expect((await call('uploader', 'GET')).body).toMatchObject({ data: [{ _id: upload._id }] });
    storeProxy.restore();
    await waitFor(async () => (await sendPart('uploader', upload, content, 2)) === 204, {
      description: 'the store to recover',
    });
    expect((await call('uploader', 'POST', `/${upload._id}/complete`)).body).toMatchObject({ sha256: hashOf(content) });
    await removeAll('uploader');
  });
});

describe('an abandoned upload in parts', () => {
  it('is deleted with its parts after a day, unlike an active one', async () => {
    const { service, objectKeys } = started;
    const content = buildFile();
    const abandoned = await begin('uploader', content);
    const assembled = await begin('uploader', content);
    const active = await begin('uploader', content);
    for (const upload of [abandoned, assembled, active]) await sendPart('uploader', upload, content, 1);
    const log = createLogger('test', 'silent');
    const db = createDb(service.env.DATABASE_URL ?? '', 2, log);
    const store = createObjectStore({ config: readConfig(service.env), prefix: 'documents/', log });
    const rows = await service.query('select id, object_key, store_upload_id from document_uploads');
    const toStoreUpload = ({ _id }: DocumentUpload) => {
      const row = rows.find(({ id }) => id === _id);
      return { key: String(row?.object_key), storeUploadId: String(row?.store_upload_id) };
    };
    try {
      // Simulates a process that crashed after it assembled the object.
      await store.parts.complete(toStoreUpload(assembled), (await store.parts.list(toStoreUpload(assembled))) ?? []);
      expect(await objectKeys()).toContain(toStoreUpload(assembled).key);
      const makeOld = `update document_uploads set touched_at = now() - interval '25 hours' where id = any($1)`;
      await service.query(makeOld, [[abandoned._id, assembled._id]]);
      expect(await applyRetention(db, [ABANDONED_UPLOADS])).toBe(2);
      const sweep = () =>
        sweepObjects({ db, store, log, pendingUploadsView: 'pending_uploads' }, new Date(Date.now() + 60_000));
      expect(await sweep()).toMatchObject({ missing: 0 });
      expect(await listStoreUploads()).toEqual([toStoreUpload(active).key]);
      await waitFor(async () => !(await objectKeys()).includes(toStoreUpload(assembled).key), {
        description: 'the object to be removed',
      });
      expect((await call('uploader', 'GET', `/${abandoned._id}`)).status).toBe(404);
      expect(await sendPart('uploader', abandoned, content, 2)).toBe(404);

      // Unrecorded uploads in progress are not swept.
      for (const number of [2, 3]) await sendPart('uploader', active, content, number);
      await store.parts.complete(toStoreUpload(active), (await store.parts.list(toStoreUpload(active))) ?? []);
      expect(await sweep()).toMatchObject({ orphans: 0 });
      expect((await call('uploader', 'POST', `/${active._id}/complete`)).body).toMatchObject({
        sha256: hashOf(content),
      });
    } finally {
      store.close();
      await db.pool.end();
    }
    await removeAll('uploader');
  });
});
