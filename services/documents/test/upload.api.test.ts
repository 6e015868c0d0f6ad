import { createHash } from 'node:crypto';
import { documentUploaded } from '@atrium/proto-events/events/documents';
import { projectCreated } from '@atrium/proto-events/events/projects';
import type { Document } from '@atrium/proto-events/http/documents';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocument, type Started, startDocuments, upload } from './factories.ts';
import { streamUpload } from './stream-upload.ts';

const MIB = 1024 * 1024;
const UNKNOWN = 'f'.repeat(24);
let started: Started;
beforeAll(async () => {
  started = await startDocuments({ MAX_UPLOAD_BYTES: String(24 * MIB) });
});
afterAll(() => started.service.close());

const project = newId();
const createProject = () =>
  started.service.deliver(projectCreated, {
    projectId: project,
    name: 'Portal',
    status: 'in-progress',
    managerId: started.people.manager._id,
    memberIds: [started.people.colleague._id],
    version: 1,
    createdBy: started.people.admin._id,
  });

describe('POST /documents/upload', () => {
  it('stores a file, private by default, and publishes it', async () => {
    const { service, people, objectKeys } = started;
    const { status, body } = await upload(service, { as: people.uploader, content: 'Hello, hub' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'notes.txt',
      description: '',
      visibility: 'private',
      tags: [],
      mimetype: 'text/plain; charset=utf-8',
      size: 10,
      sha256: createHash('sha256').update('Hello, hub').digest('hex'),
      uploadedBy: { _id: people.uploader._id, firstName: 'Uma' },
      sharedWith: [],
      project: null,
      abilities: { update: true, delete: true, share: true },
    });
    const { _id } = body as Document;
    const event = await service.waitForEvent(documentUploaded, (data) => data.documentId === _id);
    expect(event.data).toMatchObject({
      audience: { everyone: false, userIds: [people.uploader._id] },
      version: 1,
      project: null,
    });
    const key = (await objectKeys()).find((found) => found.includes(_id));
    expect(key).toMatch(new RegExp(`^documents/${_id}/[0-9a-f]{24}$`));
  });

  it.each([false, true])('accepts fields before and after the file (fields last: %s)', async (fieldsLast) => {
    const { service, people } = started;
    const fields = { name: 'Plan', description: 'For spring', visibility: 'public', tags: ' a, b ,,a' };
    const document = await createDocument(service, { as: people.uploader, fields, fieldsLast });
    expect(document).toMatchObject({ ...fields, tags: ['a', 'b'] });
  });

  it('removes invisible characters from the name, such as those that reverse its extension', async () => {
    const { service, people } = started;
    const createNamed = (name: string) => createDocument(service, { as: people.uploader, fields: { name } });
    expect(await createNamed('invoice\u202efdp.exe\u0007')).toMatchObject({ name: 'invoicefdp.exe' });
    const invisible = [
      '\u202e\u200b',
      '\u2800',
      '\u3164',
      '\u115f',
      '\uffa0',
      '\u17b4',
      '\u180e',
      '\ufe0f',
      '\u2065',
      '\ufdd0',
    ];
    for (const name of [...invisible, '\u{1d159}', '\u{16fe4}', ' \u3164 \u2800 '])
      expect(await createNamed(name)).toMatchObject({ name: 'notes.txt' });
  });

  it('leaves neither object nor record when the client disconnects', async () => {
    const { service, people, objectKeys, objects, bucket } = started;
    const token = await service.tokens.sign(people.friend);
    const keys = await objectKeys();
    const unfinished = async () =>
      (await objects.listIncompleteUploadsQuery(bucket.bucket, '', '', '', '')).uploads.length;
    const when = () => waitFor(async () => (await unfinished()) === 1, { description: 'the parts to be in flight' });
    await streamUpload(service.url, { token, bytes: 20 * MIB, disconnect: { afterBytes: 12 * MIB, when } });
    await waitFor(async () => (await unfinished()) === 0, { description: 'the parts to be aborted' });
    expect((await objectKeys()).length).toBe(keys.length);
    const { body } = await service.call('GET', '/documents', { as: people.friend });
    expect(
      (body as { data: Document[] }).data.filter(({ uploadedBy }) => uploadedBy._id === people.friend._id),
    ).toEqual([]);
  });

  it('rejects a file over the limit, with and without Content-Length, and stores nothing', async () => {
    const { service, people, objectKeys } = started;
    const token = await service.tokens.sign(people.uploader);
    const keys = await objectKeys();
    const declared = await streamUpload(service.url, { token, bytes: 30 * MIB, declareLength: true });
    expect(declared.status).toBe(413);
    const undeclared = await streamUpload(service.url, { token, bytes: 25 * MIB });
    expect(undeclared.status).toBe(413);
    expect(undeclared.body).toMatchObject({ message: 'The file is larger than 24 MB', code: 'too_large' });
    await waitFor(async () => (await objectKeys()).length === keys.length, { description: 'the object to be removed' });
  });

  it('rejects an empty file, no file, two files, and a file in another field', async () => {
    const { service, people } = started;
    const getError = async (parts: [string, string | Blob][]) => {
      const form = new FormData();
      for (const [name, value] of parts) form.append(name, value);
      const headers = { authorization: `Bearer ${await service.tokens.sign(people.uploader)}` };
      const response = await fetch(`${service.url}/api/documents/upload`, { method: 'POST', headers, body: form });
      return { status: response.status, ...((await response.json()) as { message: string[] }) };
    };
    const file = new Blob(['x']);
    expect(await getError([['file', new Blob([])]])).toMatchObject({ status: 400, message: ['The file is empty'] });
    expect(await getError([['name', 'x']])).toMatchObject({ status: 400, message: ['A file is required'] });
    expect(await getError([['other', file]])).toMatchObject({ status: 400, message: ['A file is required'] });
    expect(
      await getError([
        ['file', file],
        ['file', file],
      ]),
    ).toMatchObject({ status: 400, message: ['Send one file at a time'] });
  });

  it('rejects invalid fields, whether before or after the file', async () => {
    const { service, people, objectKeys } = started;
    const keys = await objectKeys();
    const tooManyFields = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field${index}`, 'x']));
    for (const fieldsLast of [false, true]) {
      const attempt = (fields: Record<string, string>) => upload(service, { as: people.uploader, fields, fieldsLast });
      expect((await attempt({ visibility: 'secret' })).body).toMatchObject({ message: ['Invalid visibility'] });
      expect((await attempt({ name: 'x'.repeat(256) })).body).toMatchObject({
        message: ['Must be at most 255 characters'],
      });
      expect((await attempt({ description: 'x'.repeat(20_000) })).body).toMatchObject({
        message: ['A field of the form is too long'],
      });
      expect((await attempt(tooManyFields)).body).toMatchObject({ message: ['The form has too many parts'] });
    }
    // Objects of other tests may be removed in the meantime.
    const listNewKeys = async () => (await objectKeys()).filter((key) => !keys.includes(key));
    await waitFor(async () => (await listNewKeys()).length === 0, { description: 'their objects to be removed' });
  });

  it('rejects anonymous requests, other media types, and an endless form', async () => {
    const { service, people } = started;
    expect((await upload(service, {})).status).toBe(401);
    const json = await service.call('POST', '/documents/upload', { as: people.uploader, body: { name: 'x' } });
    expect(json.status).toBe(415);
    expect(json.body).toMatchObject({ code: 'unsupported_media_type' });
    const call = (type: string, body: string) =>
      service.call('POST', '/documents/upload', { as: people.uploader, body, headers: { 'content-type': type } });
    expect((await call('multipart/form-data', 'x')).status).toBe(400);
    const truncatedForm = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf';
    expect((await call('multipart/form-data; boundary=b', truncatedForm)).status).toBe(400);
  });

  it('detects the type from the bytes and does not use the client’s name for key or headers', async () => {
    const { service, people, objectKeys } = started;
    const png = Uint8Array.from([
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6,
      0, 0, 0,
    ]);
    const image = await createDocument(service, {
      as: people.uploader,
      content: png,
      fileName: '../../etc/pass"wd.html',
    });
    expect(image).toMatchObject({ mimetype: 'image/png', name: 'pass"wd.html' });
    expect((await objectKeys()).some((key) => key.includes('wd'))).toBe(false);
    const page = await createDocument(service, {
      as: people.uploader,
      content: '<script>alert(1)</script>',
      fileName: 'a.html',
    });
    const response = await fetch(page.downloadUrl ?? '');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="a.html"; filename*=UTF-8''a.html`);
  });

  it('rejects an Idempotency-Key that was used for a different request, and stores nothing', async () => {
    const { service, people, objectKeys } = started;
    const as = people.uploader;
    const { _id } = await createDocument(service, { as });
    const key = { 'idempotency-key': 'of-a-restore' };
    const restored = await service.call('POST', `/documents/${_id}/versions/1/restore`, { as, headers: key });
    expect(restored.status).toBe(200);
    const keys = await objectKeys();
    expect(await upload(service, { as, headers: key })).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: 'This Idempotency-Key was used for a different request' },
    });
    expect(await objectKeys()).toEqual(keys);
  });

  it('returns the first response for retries with an Idempotency-Key, sequentially and concurrently', async () => {
    const { service, people, objectKeys } = started;
    const content = `Hello, hub ${newId()}`;
    const attempt = (key: string) =>
      upload(service, { as: people.uploader, content: `${content} ${key}`, headers: { 'idempotency-key': key } });
    const first = await attempt('lost-response');
    const retried = await attempt('lost-response');
    expect(retried).toMatchObject({ status: 201, body: { _id: (first.body as Document)._id } });
    const keys = await objectKeys();
    const [firstConcurrent, secondConcurrent] = await Promise.all([attempt('concurrent'), attempt('concurrent')]);
    expect(secondConcurrent?.body).toMatchObject({ _id: (firstConcurrent?.body as Document | undefined)?._id });
    await waitFor(async () => (await objectKeys()).length === keys.length + 1, {
      description: 'the second object to be removed',
    });
    expect(
      (await upload(service, { as: people.friend, headers: { 'idempotency-key': 'lost-response' } })).body,
    ).not.toMatchObject({
      _id: (first.body as Document)._id,
    });
  });

  it.each([
    ['content of a different length', { content: 'bbbbbbb' }],
    ['content of the same length', { content: 'bbb' }],
    ['name', { fileName: 'b.txt' }],
    ['description', { fields: { description: 'Another' } }],
    ['description after the file', { fields: { description: 'Another' }, fieldsLast: true }],
  ])('rejects an Idempotency-Key that was used with a different %s', async (_label, changes) => {
    const { service, people, objectKeys } = started;
    const headers = { 'idempotency-key': newId() };
    const first = { as: people.uploader, headers, content: 'aaa', fileName: 'a.txt', fields: { description: 'One' } };
    const { _id } = await createDocument(service, first);
    const keys = await objectKeys();
    expect(await upload(service, { ...first, ...changes })).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: 'This Idempotency-Key was used for a different request' },
    });
    expect((await objectKeys()).filter((key) => !keys.includes(key))).toEqual([]);
    expect(await upload(service, { ...first, fieldsLast: true })).toMatchObject({ status: 201, body: { _id } });
  });

  it('records one of two different files with the same Idempotency-Key, and rejects the other', async () => {
    const { service, people } = started;
    const headers = { 'idempotency-key': newId() };
    const responses = await Promise.all(
      ['one', 'two'].map((content) => upload(service, { as: people.uploader, headers, content })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it('accepts documents of a project from its members and administrators only', async () => {
    const { service, people } = started;
    await createProject();
    const attempt = (as: keyof typeof people, fields = { project, visibility: 'team' }) =>
      upload(service, { as: people[as], fields });
    expect((await attempt('colleague')).body).toMatchObject({ project, visibility: 'team' });
    expect((await attempt('manager')).status).toBe(201);
    expect((await attempt('admin')).status).toBe(201);
    const rejected = await attempt('stranger');
    expect(rejected).toMatchObject({
      status: 403,
      body: { message: 'Only project members can add documents to this project' },
    });
    expect(await attempt('admin', { project: UNKNOWN, visibility: 'team' })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message: ['Project not found'], errors: [{ path: 'body.project' }] },
    });
    expect((await attempt('admin', { project: 'nonsense', visibility: 'team' })).status).toBe(400);
  });
});
