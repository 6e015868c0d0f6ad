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
import { createDocument, type People, type Started, startDocuments, upload as uploadWhole } from './factories.ts';
import { ask, begin, partOf, put } from './upload-parts.ts';

const MIB = 1024 * 1024;
const PART = 8 * MIB;
const QUOTA = 64 * MIB;

let started: Started;
let line: FaultyProxy;
beforeAll(async () => {
  const { testBucket } = await import('@atrium/test-kit/backing-servers');
  line = await createFaultyProxy((await testBucket()).endpoint);
  started = await startDocuments({
    S3_ENDPOINT: line.url,
    USER_STORAGE_QUOTA_BYTES: String(QUOTA),
    MAX_UPLOAD_BYTES: String(48 * MIB),
    MIN_UPLOAD_BYTES_PER_SECOND: '1000',
    UPLOAD_STALL_WINDOW_SECONDS: '1',
  });
});
beforeEach(() => line.restore());
afterAll(async () => {
  await started.service.close();
  await line.close();
});

const shaOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
/** Two parts and a remainder; avoids a random match with a known signature. */
const buildFile = (bytes = 2 * PART + 5) => {
  const content = randomBytes(bytes);
  content.fill(0, 0, Math.min(16, bytes));
  return content;
};

const call = (who: keyof People, method: string, path = '', options: { body?: unknown; bytes?: Uint8Array } = {}) =>
  ask(started.service, method, path, { as: started.people[who], ...options });
const start = (who: keyof People, content: Uint8Array, fields: Record<string, unknown> = {}) =>
  begin(started.service, { as: started.people[who], content, fields });
const sendPart = (who: keyof People, upload: DocumentUpload, content: Uint8Array, number: number) =>
  put(started.service, { as: started.people[who], upload, content, number });
const sendAllParts = async (who: keyof People, upload: DocumentUpload, content: Uint8Array) => {
  for (let number = 1; number <= Math.ceil(content.length / PART); number += 1)
    expect(await sendPart(who, upload, content, number)).toBe(204);
};
const partsOf = async (who: keyof People, id: string) =>
  ((await call(who, 'GET', `/${id}`)).body as DocumentUpload).parts;
const availableTo = async (who: keyof People) =>
  (await started.service.call('GET', '/documents/limits', { as: started.people[who] })).body as {
    usedBytes: number;
    availableBytes: number;
  };
const unfinishedInStore = async () =>
  (await started.objects.listIncompleteUploadsQuery(started.bucket.bucket, '', '', '', '')).uploads.map(
    ({ key }) => key,
  );
/** Cancels all of a user's uploads, so that tests do not affect each other. */
const removeAll = async (who: keyof People) => {
  const { service, people } = started;
  const as = people[who];
  for (const { _id } of ((await call(who, 'GET')).body as { data: UnfinishedUpload[] }).data)
    expect((await call(who, 'DELETE', `/${_id}`)).status).toBe(204);
  const { data } = (await service.call('GET', `/documents?uploadedBy=${as._id}&limit=100`, { as })).body as {
    data: Document[];
  };
  for (const { _id } of data) {
    await service.call('DELETE', `/documents/${_id}`, { as });
    await service.call('DELETE', `/documents/trash/${_id}`, { as });
  }
};

describe('a multipart upload', () => {
  it('accepts parts in any order and repeatedly, and becomes one document even if completed twice', async () => {
    const { service, people } = started;
    const content = buildFile();
    const upload = await start('uploader', content, { name: 'The plan', tags: ['spring'], lastModified: 17 });
    expect(upload).toMatchObject({
      size: content.length,
      partBytes: PART,
      parts: [],
      lastModified: 17,
      document: null,
    });
    for (const number of [3, 1, 1]) expect(await sendPart('uploader', upload, content, number)).toBe(204);
    expect(await partsOf('uploader', upload._id)).toEqual([1, 3]);
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
      sha256: shaOf(content),
      mimetype: 'application/octet-stream',
    });
    expect(new Set(responses.map(({ body }) => (body as Document)._id)).size).toBe(1);
    const bytes = await (await fetch(document?.downloadUrl ?? '')).arrayBuffer();
    expect(shaOf(new Uint8Array(bytes))).toBe(shaOf(content));
    await service.waitForEvent(documentUploaded, ({ documentId }) => documentId === document?._id);
    expect(service.countPublished(documentUploaded, ({ documentId }) => documentId === document?._id)).toBe(1);

    // No longer listed; late parts are treated as repeats.
    expect((await call('uploader', 'GET')).body).toEqual({ data: [] });
    expect(await partsOf('uploader', upload._id)).toEqual([1, 2, 3]);
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
    const upload = await start('uploader', content, { fileName: '../photo.png' });
    await sendAllParts('uploader', upload, content);
    const { body } = await call('uploader', 'POST', `/${upload._id}/complete`);
    expect(body).toMatchObject({ name: 'photo.png', mimetype: 'application/json' });
    await removeAll('uploader');
  });

  it('uses the file name if the requested name is invisible', async () => {
    const content = buildFile(100);
    const upload = await start('uploader', content, { name: ' \u3164\u2800' });
    await sendAllParts('uploader', upload, content);
    expect((await call('uploader', 'POST', `/${upload._id}/complete`)).body).toMatchObject({ name: 'large.bin' });
    await removeAll('uploader');
  });

  it('starts once per Idempotency-Key, and reuses the object of identical content', async () => {
    const { service, people, objectKeys } = started;
    const content = buildFile(9 * MIB);
    const as = people.uploader;
    const first = await begin(service, { as, content, key: 'the first' });
    await sendPart('uploader', first, content, 1);
    const again = await begin(service, { as, content, key: 'the first' });
    expect(again).toMatchObject({ _id: first._id, parts: [1] });
    const other = { fileName: 'other', size: 1 };
    const refused = await ask(service, 'POST', '', { as, body: other, headers: { 'idempotency-key': 'the first' } });
    expect(refused.status).toBe(409);
    expect(await unfinishedInStore()).toHaveLength(1);
    await sendPart('uploader', first, content, 2);
    expect((await call('uploader', 'POST', `/${first._id}/complete`)).status).toBe(201);

    const keys = await objectKeys();
    const same = await start('uploader', content);
    await sendAllParts('uploader', same, content);
    expect((await call('uploader', 'POST', `/${same._id}/complete`)).status).toBe(201);
    await waitFor(async () => (await objectKeys()).length === keys.length, {
      description: 'the second object to be removed',
    });
    await removeAll('uploader');
  });

  it('may be a new version of a document, if the caller may change it', async () => {
    const { service, people } = started;
    const { _id } = await createDocument(service, { as: people.uploader, fields: { visibility: 'public' } });
    const content = buildFile(9 * MIB);
    const upload = await start('uploader', content, { document: _id });
    expect(upload.document).toBe(_id);
    await sendAllParts('uploader', upload, content);
    const { body } = await call('uploader', 'POST', `/${upload._id}/complete`);
    expect(body).toMatchObject({ _id, name: 'notes.txt', fileNumber: 2, sha256: shaOf(content) });
    expect((await call('uploader', 'POST', `/${upload._id}/complete`)).body).toMatchObject({ _id, fileNumber: 2 });
    const fields = { fileName: 'x', size: 10, document: _id };
    expect((await call('colleague', 'POST', '', { body: fields })).status).toBe(403);
    expect((await call('colleague', 'POST', '', { body: { ...fields, document: newId() } })).status).toBe(404);
    await removeAll('uploader');
  });
});

describe('a multipart upload of another user', () => {
  it('is not found, even by administrators', async () => {
    const content = buildFile(100);
    const upload = await start('uploader', content);
    for (const who of ['friend', 'admin'] as const) {
      expect((await call(who, 'GET', `/${upload._id}`)).status).toBe(404);
      expect(await sendPart(who, upload, content, 1)).toBe(404);
      expect((await call(who, 'POST', `/${upload._id}/complete`)).status).toBe(404);
      expect((await call(who, 'DELETE', `/${upload._id}`)).status).toBe(404);
      expect((await call(who, 'GET')).body).toEqual({ data: [] });
    }
    for (const [method, path] of [
      ['POST', ''],
      ['GET', ''],
      ['GET', `/${upload._id}`],
      ['PUT', `/${upload._id}/parts/1`],
      ['POST', `/${upload._id}/complete`],
      ['DELETE', `/${upload._id}`],
    ] as const)
      expect((await ask(started.service, method, path)).status).toBe(401);
    expect(await partsOf('uploader', upload._id)).toEqual([]);
    await removeAll('uploader');
  });
});

describe('a multipart upload', () => {
  it('rejects an empty, oversized, or over-quota file before any byte is sent', async () => {
    const beginUpload = (size: number) => call('friend', 'POST', '', { body: { fileName: 'a.bin', size } });
    expect(await beginUpload(0)).toMatchObject({ status: 400, body: { message: ['The file is empty'] } });
    expect(await beginUpload(49 * MIB)).toMatchObject({
      status: 413,
      body: { message: 'The file is larger than 48 MB' },
    });
    expect((await beginUpload(40 * MIB)).status).toBe(201);
    expect(await availableTo('friend')).toMatchObject({ usedBytes: 0, availableBytes: 24 * MIB });
    expect((await beginUpload(25 * MIB)).status).toBe(413);
    const whole = await uploadWhole(started.service, { as: started.people.friend, content: new Uint8Array(25 * MIB) });
    expect(whole.status).toBe(413);
    // Concurrent uploads cannot share the remaining quota.
    expect(
      (await Promise.all([beginUpload(20 * MIB), beginUpload(20 * MIB)])).map(({ status }) => status).sort(),
    ).toEqual([201, 413]);
    await removeAll('friend');
    expect(await availableTo('friend')).toMatchObject({ usedBytes: 0, availableBytes: QUOTA });
    expect(await unfinishedInStore()).toEqual([]);
  });

  it('rejects completion over quota, and can be completed later', async () => {
    const { service, people } = started;
    const content = buildFile(9 * MIB);
    const upload = await start('friend', content);
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
    const upload = await start('uploader', content);
    const path = `/${upload._id}/parts`;
    const short = partOf(content, upload, 1).subarray(1);
    expect(await call('uploader', 'PUT', `${path}/1`, { bytes: short })).toMatchObject({
      status: 400,
      body: { message: ['The part has the wrong size'] },
    });
    for (const number of [0, 3, 10_001])
      expect((await call('uploader', 'PUT', `${path}/${number}`, { bytes: short })).status).toBe(404);

    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    const token = await service.tokens.sign(people.uploader);
    socket.write(
      `PUT /api/documents/uploads${path}/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${PART}\r\n\r\nslow`,
    );
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(/^HTTP\/1\.1 408 /);
    const refused = { status: 408, body: { code: 'request_timeout' } };
    recordResponse('documents', { method: 'PUT', path: `/documents/uploads${path}/1` }, refused);
    socket.destroy();
    expect(await partsOf('uploader', upload._id)).toEqual([]);
    await removeAll('uploader');
  });

  it('rejects a project that is unknown, of others, or deleted in the meantime', async () => {
    const { service, people } = started;
    const project = newId();
    const facts = (version: number, memberIds: string[]) => {
      return {
        projectId: project,
        name: 'Portal',
        status: 'in-progress',
        managerId: people.manager._id,
        memberIds,
        version,
      };
    };
    await service.deliver(projectCreated, { ...facts(1, [people.colleague._id]), createdBy: people.admin._id });
    const body = { fileName: 'a.bin', size: 9, project };
    expect((await call('colleague', 'POST', '', { body: { ...body, project: newId() } })).status).toBe(400);
    expect((await call('stranger', 'POST', '', { body })).status).toBe(403);
    const content = buildFile(9);
    const upload = await start('colleague', content, { project });
    await sendAllParts('colleague', upload, content);
    await service.deliver(projectUpdated, { ...facts(2, []), progress: 0, changed: ['memberIds'] });
    expect((await call('colleague', 'POST', `/${upload._id}/complete`)).status).toBe(403);
    await removeAll('colleague');
  });

  it('rejects the 101st unfinished upload of a user', async () => {
    const beginUpload = () => call('manager', 'POST', '', { body: { fileName: 'a.bin', size: 1 } });
    for (let count = 0; count < 100; count += 1) expect((await beginUpload()).status).toBe(201);
    expect(await beginUpload()).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await removeAll('manager');
    expect(await unfinishedInStore()).toEqual([]);
  });
});

describe('without the object store, a multipart upload', () => {
  it('cannot be started, continued, or completed, and resumes when the store recovers', async () => {
    const content = buildFile(9 * MIB);
    const upload = await start('uploader', content);
    expect(await sendPart('uploader', upload, content, 1)).toBe(204);
    line.cut();
    expect((await call('uploader', 'POST', '', { body: { fileName: 'a', size: 1 } })).status).toBe(503);
    expect((await call('uploader', 'GET', `/${upload._id}`)).status).toBe(503);
    expect(await sendPart('uploader', upload, content, 2)).toBe(503);
    expect((await call('uploader', 'POST', `/${upload._id}/complete`)).status).toBe(503);
    expect((await call('uploader', 'GET')).body).toMatchObject({ data: [{ _id: upload._id }] });
    line.restore();
    await waitFor(async () => (await sendPart('uploader', upload, content, 2)) === 204, {
      description: 'the store to recover',
    });
    expect((await call('uploader', 'POST', `/${upload._id}/complete`)).body).toMatchObject({ sha256: shaOf(content) });
    await removeAll('uploader');
  });
});

describe('an abandoned multipart upload', () => {
  it('is deleted with its parts after a day, unlike an active one', async () => {
    const { service, objectKeys } = started;
    const content = buildFile();
    const [left, joined, live] = [
      await start('uploader', content),
      await start('uploader', content),
      await start('uploader', content),
    ];
    for (const upload of [left, joined, live]) await sendPart('uploader', upload, content, 1);
    const log = createLogger('test', 'silent');
    const db = createDb(service.env.DATABASE_URL ?? '', 2, log);
    const store = createObjectStore({ config: readConfig(service.env), prefix: 'documents/', log });
    const rows = await service.query('select id, object_key, store_upload_id from document_uploads');
    const storedUploadOf = ({ _id }: DocumentUpload) => {
      const row = rows.find(({ id }) => id === _id);
      return { key: String(row?.object_key), storeUploadId: String(row?.store_upload_id) };
    };
    try {
      // The process crashed between object and record.
      await store.parts.complete(storedUploadOf(joined), (await store.parts.list(storedUploadOf(joined))) ?? []);
      expect(await objectKeys()).toContain(storedUploadOf(joined).key);
      const old = `update document_uploads set touched_at = now() - interval '25 hours' where id = any($1)`;
      await service.query(old, [[left._id, joined._id]]);
      expect(await applyRetention(db, [ABANDONED_UPLOADS])).toBe(2);
      const sweep = () =>
        sweepObjects({ db, store, log, pendingUploadsView: 'pending_uploads' }, new Date(Date.now() + 60_000));
      expect(await sweep()).toMatchObject({ missing: 0 });
      expect(await unfinishedInStore()).toEqual([storedUploadOf(live).key]);
      await waitFor(async () => !(await objectKeys()).includes(storedUploadOf(joined).key), {
        description: 'the object to be removed',
      });
      expect((await call('uploader', 'GET', `/${left._id}`)).status).toBe(404);
      expect(await sendPart('uploader', left, content, 2)).toBe(404);

      // Unrecorded uploads in progress are not swept.
      for (const number of [2, 3]) await sendPart('uploader', live, content, number);
      await store.parts.complete(storedUploadOf(live), (await store.parts.list(storedUploadOf(live))) ?? []);
      expect(await sweep()).toMatchObject({ orphans: 0 });
      expect((await call('uploader', 'POST', `/${live._id}/complete`)).body).toMatchObject({ sha256: shaOf(content) });
    } finally {
      store.close();
      await db.pool.end();
    }
    await removeAll('uploader');
  });
});
