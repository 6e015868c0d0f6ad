import { REMOVAL_LOCK } from '@atrium/object-store/objects/object-remover';
import { documentDeleted, documentShared, documentUpdated } from '@atrium/proto-events/events/documents';
import { projectCreated } from '@atrium/proto-events/events/projects';
import type { Document } from '@atrium/proto-events/http/documents';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocument, type People, type Started, startDocuments, upload } from './factories.ts';

let started: Started;
beforeAll(async () => {
  started = await startDocuments();
});
afterAll(() => started.service.close());

type List = { data: Document[]; total: number; more?: true; page: number; totalPages: number };

const call = (method: string, path: string, as: keyof People, body?: unknown) =>
  started.service.call(method, `/documents${path}`, {
    as: started.people[as],
    ...(body !== undefined && { body }),
  });
const createDocumentFor = (as: keyof People, fields: Record<string, string> = {}, content?: string) =>
  createDocument(started.service, { as: started.people[as], fields, ...(content !== undefined && { content }) });

describe('GET /documents', () => {
  it('sorts, paginates, and clamps the page size', async () => {
    const names = ['Beta', 'alpha', 'Gamma'];
    for (const [index, name] of names.entries()) {
      await createDocumentFor('manager', { name, description: 'sorting' }, 'x'.repeat(10 * (3 - index)));
    }
    const listNames = async (query: string) =>
      ((await call('GET', `?search=sorting&${query}`, 'manager')).body as List).data.map(({ name }) => name);
    expect(await listNames('')).toEqual(['Gamma', 'alpha', 'Beta']);
    expect(await listNames('sortBy=createdAt&sortOrder=asc')).toEqual(['Beta', 'alpha', 'Gamma']);
    expect(await listNames('sortBy=name&sortOrder=asc')).toEqual(['alpha', 'Beta', 'Gamma']);
    expect(await listNames('sortBy=size&sortOrder=desc')).toEqual(['Beta', 'alpha', 'Gamma']);
    expect(await listNames('')).toEqual(['Gamma', 'alpha', 'Beta']);
    const { body } = await call('GET', '?search=sorting&limit=2&page=2', 'manager');
    expect(body).toMatchObject({ total: 3, page: 2, totalPages: 2, data: [{ name: 'Beta' }] });
    expect(((await call('GET', '?limit=5000', 'manager')).body as List).totalPages).toBe(1);
  });

  it.each(['sortBy=uploader', 'sortOrder=up'])('rejects the unknown order %s', async (query) => {
    expect((await call('GET', `?${query}`, 'manager')).status).toBe(400);
  });

  it('searches name, description, tags, and uploader, literally and case-insensitively', async () => {
    await createDocumentFor('friend', { name: '100%_done.txt', visibility: 'public', tags: 'Roadmap, spring' });
    const countMatches = async (search: string) =>
      ((await call('GET', `?search=${encodeURIComponent(search)}`, 'stranger')).body as List).total;
    expect(await countMatches('100%_D')).toBe(1);
    expect(await countMatches('100x_d')).toBe(0);
    expect(await countMatches('roadm')).toBe(1);
    expect(await countMatches('fred fr')).toBe(1);
    expect(await countMatches('uma uploader')).toBe(0);
  });

  it('counts up to 1,000 matches and reports if there are more', async () => {
    const { _id } = await createDocumentFor('friend', { name: 'Copied', visibility: 'public' });
    const copy = (count: number) =>
      started.service.query(
        `insert into documents (id, name, description, visibility, tags, uploaded_by, object_key, extension, mimetype, size, sha256)
         select md5(random()::text)::char(24), 'Copied', '', visibility, '{}', uploaded_by, object_key, extension, mimetype, size, sha256
         from documents, generate_series(1, $2) where id = $1`,
        [_id, count],
      );
    const searchCopies = async () => (await call('GET', '?search=copied&limit=100&page=10', 'stranger')).body as List;
    await copy(999);
    const exact = await searchCopies();
    expect([exact.total, exact.more, exact.totalPages, exact.data.length]).toEqual([1_000, undefined, 10, 100]);
    await copy(1);
    expect(await searchCopies()).toMatchObject({ total: 1_000, more: true, totalPages: 10 });
    expect(((await call('GET', '', 'stranger')).body as List).total).toBeGreaterThan(1_000);
    await started.service.query(`delete from documents where name = 'Copied'`);
  });

  it('responds immediately for an unknown project', async () => {
    const startedAt = performance.now();
    // An id with a timestamp in 1970, which cannot be in flight.
    const unknown = `${'0'.repeat(8)}${'a'.repeat(16)}`;
    expect((await call('GET', `/project/${unknown}`, 'stranger')).status).toBe(404);
    const { service, people } = started;
    expect((await upload(service, { as: people.stranger, fields: { project: unknown } })).status).toBe(400);
    const { _id } = await createDocumentFor('stranger');
    expect((await call('POST', `/${_id}/share`, 'stranger', { projectIds: [unknown] })).status).toBe(400);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('includes working download links only if requested', async () => {
    const { _id } = await createDocumentFor('stranger', {}, 'through a list');
    expect(JSON.stringify((await call('GET', '', 'stranger')).body)).not.toContain('downloadUrl');
    const { body } = await call('GET', '?link=true', 'stranger');
    const row = (body as List).data.find((document) => document._id === _id);
    expect(await (await fetch(row?.downloadUrl ?? '')).text()).toBe('through a list');
  });

  it('rejects anonymous requests and searches that are too long', async () => {
    expect((await started.service.call('GET', '/documents')).status).toBe(401);
    expect((await call('GET', `?search=${'x'.repeat(201)}`, 'friend')).status).toBe(400);
  });
});

describe('GET /documents/recent', () => {
  it('lists the latest uploads that the caller can read', async () => {
    const first = await createDocumentFor('uploader', { visibility: 'public' });
    const second = await createDocumentFor('uploader', { visibility: 'public' });
    await createDocumentFor('uploader', { visibility: 'private' });
    const { status, body } = await call('GET', '/recent?limit=2', 'stranger');
    expect(status).toBe(200);
    expect(body).toMatchObject({ page: 1, data: [{ _id: second._id }, { _id: first._id }] });
    expect((body as List).totalPages).toBe(Math.ceil((body as List).total / 2));
    expect((await call('GET', '/recent?limit=100&page=101', 'stranger')).status).toBe(400);
    expect((await started.service.call('GET', '/documents/recent')).status).toBe(401);
  });
});

describe('GET /documents/project/:id', () => {
  const project = newId();

  it('lists the project’s documents that the caller can read, newest first', async () => {
    const { people, service } = started;
    await service.deliver(projectCreated, {
      projectId: project,
      name: 'Portal',
      status: 'in-progress',
      managerId: people.manager._id,
      memberIds: [people.colleague._id],
      version: 1,
      createdBy: people.admin._id,
    });
    const team = await createDocumentFor('colleague', { project, visibility: 'team' });
    const own = await createDocumentFor('manager', { project, visibility: 'private' });
    await createDocumentFor('colleague', { visibility: 'team' });
    const listed = async (as: keyof People) =>
      ((await call('GET', `/project/${project}`, as)).body as List).data.map(({ _id }) => _id);
    expect(await listed('manager')).toEqual([own._id, team._id]);
    expect(await listed('colleague')).toEqual([team._id]);
    expect(await listed('stranger')).toEqual([]);
    const { body } = await call('GET', `/project/${project}?limit=1&page=2`, 'manager');
    expect(body).toMatchObject({ total: 2, page: 2, totalPages: 2, data: [{ _id: team._id }] });
  });

  it('responds 404 for an unknown project and 401 for anonymous requests', async () => {
    expect((await call('GET', `/project/${newId()}`, 'admin')).status).toBe(404);
    expect((await call('GET', '/project/nonsense', 'admin')).status).toBe(404);
    expect((await call('GET', `/project/${project}?limit=100&page=101`, 'admin')).status).toBe(400);
    expect((await started.service.call('GET', `/documents/project/${project}`)).status).toBe(401);
  });
});

describe('GET /documents/stats', () => {
  it('counts the documents that the caller can read, and their downloads', async () => {
    const stats = async (as: keyof People) => (await call('GET', '/stats', as)).body as Record<string, number>;
    const before = await stats('colleague');
    const inactive = await stats('inactive' as 'colleague').catch(() => undefined);
    const { _id } = await createDocumentFor('colleague', { tags: 'one, two' }, 'twelve bytes');
    await createDocumentFor('uploader', { tags: 'three' });
    expect(inactive).toMatchObject({ code: 'unauthorized' });
    expect(await stats('colleague')).toMatchObject({
      total: Number(before.total) + 1,
      totalSize: Number(before.totalSize) + 12,
      recentUploads: Number(before.recentUploads) + 1,
      categories: Number(before.categories) + 2,
      mostDownloaded: [],
    });
    const withoutLink = await call('GET', `/${_id}?link=false`, 'colleague');
    expect(withoutLink.body).toMatchObject({ _id, name: 'notes.txt', size: 12 });
    expect(withoutLink.body).not.toHaveProperty('downloadUrl');
    expect((await call('GET', `/${_id}?link=maybe`, 'colleague')).status).toBe(400);
    await call('GET', `/${_id}`, 'colleague');
    await call('GET', `/${_id}?link=true`, 'colleague');
    const mostDownloaded = await waitFor(
      async () => ((await call('GET', '/stats', 'colleague')).body as { mostDownloaded: unknown[] }).mostDownloaded[0],
      { description: 'the downloads to be counted' },
    );
    expect(mostDownloaded).toEqual({ _id, name: 'notes.txt', downloads: 2 });
    expect((await started.service.call('GET', '/documents/stats')).status).toBe(401);
  });
});

describe('PATCH /documents/:id', () => {
  it('changes the given fields, and publishes to former and current readers', async () => {
    const { people, service } = started;
    const { _id } = await createDocumentFor('uploader', { visibility: 'public' });
    const change = { name: 'Plan', description: 'New', visibility: 'private', tags: 'a, b,, a' };
    const { status, body } = await call('PATCH', `/${_id}`, 'uploader', { ...change, uploadedBy: people.friend._id });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...change, tags: ['a', 'b'], version: 2, uploadedBy: { _id: people.uploader._id } });
    const event = await service.waitForEvent(documentUpdated, (data) => data.documentId === _id);
    expect(event.data).toMatchObject({
      audience: { everyone: true, userIds: [] },
      changed: ['name', 'description', 'visibility', 'tags'],
      version: 2,
    });
  });

  it('publishes nothing without a change', async () => {
    const { _id } = await createDocumentFor('uploader', { tags: 'a' });
    const { body } = await call('PATCH', `/${_id}`, 'uploader', { name: 'notes.txt', tags: ['a'] });
    expect(body).toMatchObject({ version: 1 });
  });

  it('removes invisible characters from a new name', async () => {
    const { _id } = await createDocumentFor('uploader');
    const { body } = await call('PATCH', `/${_id}`, 'uploader', { name: 'plan\u202etxt.exe' });
    expect(body).toMatchObject({ name: 'plantxt.exe' });
  });

  it('rejects an empty name, an unknown visibility, and too many tags', async () => {
    const { _id } = await createDocumentFor('uploader');
    const patch = async (body: unknown) => (await call('PATCH', `/${_id}`, 'uploader', body)).body;
    for (const name of [' ', '\u202e']) {
      expect(await patch({ name })).toMatchObject({
        message: ['Document name is required'],
        code: 'validation_failed',
      });
    }
    expect(await patch({ visibility: 'secret' })).toMatchObject({ message: ['Invalid visibility'] });
    const tags = Array.from({ length: 31 }, (_, index) => `tag ${index}`);
    expect(await patch({ tags })).toMatchObject({ message: ['At most 30 tags of 50 characters'] });
  });

  it('responds with the current document for a stale version', async () => {
    const { _id } = await createDocumentFor('uploader');
    await call('PATCH', `/${_id}`, 'admin', { name: 'Second', version: 1 });
    const { status, body } = await call('PATCH', `/${_id}`, 'uploader', { name: 'Third', version: 1 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'stale_version', current: { name: 'Second', version: 2 } });
  });

  it('rejects malformed JSON, large bodies, and other media types with a standard error', async () => {
    const { _id } = await createDocumentFor('uploader');
    const send = (body: string, headers = {}) =>
      started.service.call('PATCH', `/documents/${_id}`, { as: started.people.uploader, body, headers });
    const malformed = await send('{"name":');
    expect(malformed).toMatchObject({ status: 400, body: { code: 'invalid_json', requestId: expect.any(String) } });
    expect((await send(JSON.stringify({ name: 'x'.repeat(1_100_000) }))).status).toBe(413);
    expect((await send('name=x', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });
});

describe('POST and DELETE /documents/:id/share', () => {
  it('shares, notifies only new readers, and removes the share', async () => {
    const { people, service } = started;
    const { _id } = await createDocumentFor('uploader');
    const userIds = [people.friend._id, people.friend._id, people.uploader._id];
    const shared = await call('POST', `/${_id}/share`, 'uploader', { userIds });
    expect(shared).toMatchObject({ status: 200, body: { version: 2, sharedWith: [{ _id: people.friend._id }] } });
    const first = await service.waitForEvent(documentShared, (data) => data.documentId === _id);
    expect(first.data).toMatchObject({
      sharedWith: [people.friend._id],
      audience: { everyone: false, userIds: [people.uploader._id, people.friend._id] },
    });
    const shares = { userIds: [people.friend._id, people.colleague._id] };
    expect((await call('POST', `/${_id}/share`, 'friend', shares)).body).toMatchObject({ version: 3 });
    const second = await service.waitForEvent(documentShared, (data) => data.documentId === _id && data.version === 3);
    expect(second.data.sharedWith).toEqual([people.colleague._id]);

    const removed = await call('DELETE', `/${_id}/share`, 'uploader', { userIds: [people.friend._id] });
    expect(removed).toMatchObject({ status: 204, body: '' });
    const { body: remaining } = await call('GET', `/${_id}`, 'uploader');
    expect(remaining).toMatchObject({ version: 4, sharedWith: [{ _id: people.colleague._id }] });
    // Removing again is not an error.
    expect((await call('DELETE', `/${_id}/share`, 'uploader', { userIds: [people.friend._id] })).status).toBe(204);
    const event = await service.waitForEvent(documentUpdated, (data) => data.documentId === _id);
    expect(event.data.changed).toEqual(['sharedWith']);
    expect(event.data.audience.userIds).toContain(people.friend._id);
  });

  it('includes six users in lists, as many as requested elsewhere, and the total', async () => {
    const { people, service } = started;
    const grantees = Array.from({ length: 7 }, () => buildUser());
    service.addToDirectory(...grantees);
    const { _id } = await createDocumentFor('uploader');
    const users = grantees.map((user) => user._id);
    await call('POST', `/${_id}/share`, 'uploader', { userIds: users });
    const counts = async (path: string) => {
      const { body } = await service.call('GET', `/documents${path}`, { as: people.uploader });
      const { data = [] } = body as { data?: Document[] };
      const document = data.find((row) => row._id === _id);
      return [document?.sharedWith.length, document?.sharedWithCount];
    };
    const paths = ['?limit=100', '?limit=100&people=2', '/recent?limit=100', '/recent?limit=100&people=all'];
    expect(await Promise.all(paths.map(counts))).toEqual([6, 2, 6, 7].map((length) => [length, 7]));
    const { body } = await call('GET', `/${_id}`, 'uploader');
    expect((body as Document).sharedWith.map((user) => user._id).sort()).toEqual(users.toSorted());
  });

  it('loses no share when many users share concurrently', async () => {
    const { people } = started;
    const { _id } = await createDocumentFor('uploader', { visibility: 'public' });
    const names = ['friend', 'colleague', 'manager', 'stranger', 'admin'] as const;
    const responses = await Promise.all(
      names.map((name) => call('POST', `/${_id}/share`, name, { userIds: [people[name]._id] })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { body } = await call('GET', `/${_id}`, 'uploader');
    expect((body as Document).sharedWith.map((person) => person._id).sort()).toEqual(
      names.map((name) => people[name]._id).sort(),
    );
    expect(body).toMatchObject({ version: 6 });
  });

  it('rejects no users, inactive and unknown users, and malformed ids', async () => {
    const { people } = started;
    const { _id } = await createDocumentFor('uploader');
    const share = (userIds: unknown) => call('POST', `/${_id}/share`, 'uploader', { userIds });
    expect((await share([])).body).toMatchObject({ message: ['Select at least one person'] });
    expect((await share(['nobody'])).body).toMatchObject({ message: ['Invalid id'] });
    const message = ['Documents can be shared with active users only'];
    expect(await share([people.inactive._id])).toMatchObject({ status: 400, body: { message } });
    expect(await share(['f'.repeat(24)])).toMatchObject({ status: 400, body: { message } });
    expect((await call('DELETE', `/${_id}/share`, 'uploader', { userIds: ['nobody'] })).status).toBe(400);
  });
});

describe('DELETE /documents/:id', () => {
  it('moves the document to the trash, publishes that, and removes its object after permanent deletion', async () => {
    const { service, objectKeys, people } = started;
    const { _id } = await createDocumentFor('uploader');
    expect((await objectKeys()).some((key) => key.includes(_id))).toBe(true);
    expect((await call('DELETE', `/${_id}`, 'uploader')).status).toBe(204);
    expect((await call('GET', `/${_id}`, 'uploader')).status).toBe(404);
    const event = await service.waitForEvent(documentDeleted, (data) => data.documentId === _id);
    expect(event.data).toMatchObject({ uploadedBy: people.uploader._id, version: 2 });
    expect((await objectKeys()).some((key) => key.includes(_id))).toBe(true);
    expect((await call('DELETE', `/trash/${_id}`, 'uploader')).status).toBe(204);
    await waitFor(async () => !(await objectKeys()).some((key) => key.includes(_id)), {
      description: 'the object to be removed',
    });
  });

  it('keeps the object as long as a backup copies objects', async () => {
    const { service, objectKeys } = started;
    const ids = [(await createDocumentFor('uploader'))._id, (await createDocumentFor('uploader'))._id];
    const countRemaining = async () => (await objectKeys()).filter((key) => ids.some((id) => key.includes(id))).length;
    const db = createDb(service.env.DATABASE_URL ?? '', 1, service.running.log);
    await db.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [REMOVAL_LOCK]);
      for (const id of ids) {
        expect((await call('DELETE', `/${id}`, 'uploader')).status).toBe(204);
        await service.waitForEvent(documentDeleted, (data) => data.documentId === id);
        expect((await call('DELETE', `/trash/${id}`, 'uploader')).status).toBe(204);
      }
      expect(await countRemaining()).toBe(2);
    });
    await db.pool.end();
    await waitFor(async () => (await countRemaining()) === 0, { description: 'the objects to be removed' });
  });
});
