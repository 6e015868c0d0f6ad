import { projectCreated } from '@atrium/proto-events/events/projects';
import type { Document } from '@atrium/proto-events/http/documents';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { applyRetention } from '@atrium/service-kit/postgres/housekeeping';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXPIRED_DOWNLOADS } from '../src/downloads/download-log.ts';
import { createDocument, type Started, startDocuments } from './factories.ts';

let started: Started;
let sales: DirectoryUser;
let project: string;
const SALES = newId();

beforeAll(async () => {
  started = await startDocuments();
  const { service, people } = started;
  service.running.directory.putDepartment({ _id: SALES, name: 'Sales', isActive: true, version: 1 });
  sales = buildUser({ departmentId: SALES, firstName: 'Sal' });
  service.addToDirectory(sales);
  project = newId();
  await service.deliver(projectCreated, {
    projectId: project,
    name: 'Portal',
    status: 'in-progress',
    managerId: people.manager._id,
    memberIds: [people.colleague._id, people.uploader._id],
    version: 1,
    createdBy: people.admin._id,
  });
});
afterAll(() => started.service.close());

const call = (method: string, path: string, as?: DirectoryUser, body?: unknown) =>
  started.service.call(method, `/documents${path}`, { ...(as && { as }), ...(body !== undefined && { body }) });
const upload = (fields: Record<string, string> = {}): Promise<Document> =>
  createDocument(started.service, { as: started.people.uploader, fields });
const share = (id: string, body: unknown, as = started.people.uploader) => call('POST', `/${id}/share`, as, body);
const explain = async (id: string, user: DirectoryUser, as = started.people.uploader) =>
  (await call('GET', `/${id}/access?user=${user._id}`, as)).body as {
    canOpen: boolean;
    reasons: { kind: string; project?: string; canRemove: boolean; share?: Record<string, unknown> }[];
  };
const kindsOf = ({ reasons }: Awaited<ReturnType<typeof explain>>) => reasons.map(({ kind }) => kind);

describe('GET /documents/:id/access', () => {
  it('names each access path of a reader, and none for other users', async () => {
    const { people } = started;
    const own = await upload();
    expect(kindsOf(await explain(own._id, people.uploader))).toEqual(['uploader']);
    expect(kindsOf(await explain(own._id, people.admin))).toEqual(['administrator']);
    expect(await explain(own._id, people.stranger)).toMatchObject({ canOpen: false, reasons: [] });
    expect(kindsOf(await explain((await upload({ visibility: 'public' }))._id, people.stranger))).toEqual(['public']);
    expect(kindsOf(await explain((await upload({ visibility: 'team' }))._id, people.stranger))).toEqual(['workspace']);
    const projectDocument = await upload({ visibility: 'team', project });
    expect(await explain(projectDocument._id, people.colleague)).toMatchObject({
      canOpen: true,
      reasons: [{ kind: 'team', project }],
    });
    expect(await explain(projectDocument._id, people.stranger)).toMatchObject({ canOpen: false, reasons: [] });
  });

  it('names each share with its creator and time, which the uploader may remove', async () => {
    const { people } = started;
    const { _id } = await upload();
    await share(_id, { userIds: [sales._id, people.friend._id], departmentIds: [SALES], projectIds: [project] });
    await share(_id, { userIds: [people.colleague._id] }, people.friend);
    const explanation = await explain(_id, sales);
    expect(explanation.reasons).toMatchObject(
      [
        { kind: 'shared', canRemove: true, share: { kind: 'person', user: { _id: sales._id } } },
        { kind: 'shared', canRemove: true, share: { kind: 'department', department: { _id: SALES, name: 'Sales' } } },
      ].sort(byGrantee),
    );
    expect((await explain(_id, people.colleague)).reasons).toMatchObject([
      { share: { kind: 'project', project, sharedBy: { _id: people.uploader._id } } },
      { share: { kind: 'person', sharedBy: { _id: people.friend._id }, sharedAt: expect.any(String) } },
    ]);
    await call('DELETE', `/${_id}/share`, people.uploader, { departmentIds: [SALES], userIds: [sales._id] });
    expect(await explain(_id, sales)).toMatchObject({ canOpen: false, reasons: [] });
    const { body } = await call('GET', `/${_id}/shares`, people.friend);
    expect(body).toMatchObject({ canRemove: false });
    expect((body as { data: { kind: string }[] }).data.map(({ kind }) => kind).sort()).toEqual([
      'person',
      'person',
      'project',
    ]);
  });

  it('reports that a deactivated user has no access, regardless of shares', async () => {
    const { service, people } = started;
    const { _id } = await upload();
    const member = buildUser({ departmentId: SALES });
    service.addToDirectory(member);
    await share(_id, { departmentIds: [SALES] });
    expect(await explain(_id, member)).toMatchObject({ canOpen: true });
    service.addToDirectory({ ...member, status: 'inactive', version: 2 });
    expect(await explain(_id, member)).toMatchObject({ canOpen: false, reasons: [{ kind: 'shared' }] });
    service.addToDirectory({ ...member, deleted: true, status: 'inactive', version: 3 });
    expect((await call('GET', `/${_id}/access?user=${member._id}`, people.uploader)).status).toBe(404);
  });

  it('is allowed for the uploader and administrators for any user, and for readers about themselves only', async () => {
    const { people } = started;
    const { _id } = await upload();
    await share(_id, { userIds: [people.friend._id] });
    const status = async (as: DirectoryUser, user?: DirectoryUser) =>
      (await call('GET', `/${_id}/access${user ? `?user=${user._id}` : ''}`, as)).status;
    expect(await status(people.admin, people.friend)).toBe(200);
    expect(await status(people.friend)).toBe(200);
    expect(await status(people.friend, people.friend)).toBe(200);
    const denied = await call('GET', `/${_id}/access?user=${people.stranger._id}`, people.friend);
    const message = 'Only the uploader and administrators can see why other people have access to this document';
    expect(denied).toMatchObject({ status: 403, body: { message } });
    expect(await status(people.stranger)).toBe(404);
    expect((await call('GET', `/${_id}/access?user=nobody`, people.admin)).status).toBe(400);
    expect((await call('GET', `/${_id}/access`)).status).toBe(401);
    expect((await call('GET', `/${_id}/shares`, people.stranger)).status).toBe(404);
    expect((await call('GET', `/${_id}/shares`)).status).toBe(401);
  });
});

const byGrantee = (a: { share: { user?: { _id: string }; department?: { _id: string } } }, b: typeof a) => {
  const id = ({ share: { user, department } }: typeof a) => user?._id ?? department?._id ?? '';
  return id(a) < id(b) ? -1 : 1;
};

describe('POST /documents/:id/access', () => {
  const MAX_USERS = 500;

  it('returns the users without access, each once, by the same rule', async () => {
    const { people } = started;
    const { _id } = await upload({ visibility: 'team', project });
    await share(_id, { departmentIds: [SALES], userIds: [people.friend._id] });
    const readers = [people.admin, people.uploader, people.colleague, people.manager, people.friend, sales];
    const unknownId = newId();
    const userIds = [
      people.stranger._id,
      ...readers.map((reader) => reader._id),
      people.inactive._id,
      unknownId,
      people.stranger._id,
    ];
    const { status, body } = await call('POST', `/${_id}/access`, people.friend, { userIds });
    expect(status).toBe(200);
    const { asked, cannotOpen } = body as { asked: number; cannotOpen: { _id: string }[] };
    expect(asked).toBe(userIds.length - 1);
    expect(cannotOpen.map((user) => user._id)).toEqual([people.stranger._id, people.inactive._id, unknownId]);
    for (const reader of readers) expect((await call('GET', `/${_id}?link=false`, reader)).status).toBe(200);
  });

  it('accepts as many users as a conversation shows, and is allowed for readers', async () => {
    const { people } = started;
    const { _id } = await upload();
    const checkAccess = (count: number, as: DirectoryUser) =>
      call('POST', `/${_id}/access`, as, { userIds: Array.from({ length: count }, newId) });
    expect(await checkAccess(MAX_USERS, people.uploader)).toMatchObject({ status: 200, body: { asked: MAX_USERS } });
    expect((await checkAccess(MAX_USERS + 1, people.uploader)).status).toBe(400);
    expect((await checkAccess(0, people.uploader)).body).toMatchObject({ message: ['Select at least one person'] });
    expect((await checkAccess(1, people.stranger)).status).toBe(404);
    expect((await call('POST', `/${_id}/access`, undefined, { userIds: [newId()] })).status).toBe(401);
  });
});

describe('GET /documents/:id/downloads', () => {
  type Log = { total: number; data: { user: { _id: string }; fileNumber: number; at: string }[] };
  const readLog = async (id: string, query = '') =>
    (await call('GET', `/${id}/downloads${query}`, started.people.uploader)).body as Log;

  it('lists who requested a link, latest first, but not who only viewed the file', async () => {
    const { people } = started;
    const { _id } = await upload({ visibility: 'public' });
    await call('GET', `/${_id}?link=false`, people.stranger);
    for (const path of ['?limit=100', '/recent?limit=100', `/${_id}/versions`])
      await call('GET', path, people.stranger);
    expect(await readLog(_id)).toMatchObject({ total: 0, data: [] });
    await call('GET', `/${_id}`, people.friend);
    await call('GET', `/${_id}/versions/1`, people.stranger);
    const { total, data } = await readLog(_id);
    expect(total).toBe(2);
    expect(data.map(({ user }) => user._id)).toEqual([people.stranger._id, people.friend._id]);
    expect(data.map(({ fileNumber }) => fileNumber)).toEqual([1, 1]);
    expect((await readLog(_id, '?limit=1&page=2')).data.map(({ user }) => user._id)).toEqual([people.friend._id]);
  });

  it('lists who received a link from a list, once while the same link is returned', async () => {
    const { people } = started;
    const { _id } = await upload({ visibility: 'public' });
    const hasLink = async (path: string) =>
      JSON.stringify((await call('GET', path, people.stranger)).body).includes(`documents/${_id}/`);
    const paths = ['?limit=100', `/${_id}/versions?`, '/recent?limit=100', '?limit=100&search=notes', '?limit=100'];
    for (const path of paths) expect(await hasLink(`${path}&link=true`)).toBe(true);
    for (const path of paths) expect(await hasLink(path)).toBe(false);
    expect((await readLog(_id)).data.map(({ user }) => user._id)).toEqual([people.stranger._id]);
    expect((await call('GET', '?link=maybe', people.stranger)).status).toBe(400);
    const shared = await call('POST', `/${_id}/share`, people.friend, { userIds: [people.stranger._id] });
    expect(shared.status).toBe(200);
    expect(shared.body).not.toHaveProperty('downloadUrl');
    expect((await readLog(_id)).total).toBe(1);
  });

  it('lists a list link that could not be recorded at first', async () => {
    const { people, service } = started;
    const { _id } = await upload({ visibility: 'public' });
    const status = async () => (await call('GET', '?limit=100&link=true', people.stranger)).status;
    await service.query('alter table document_downloads rename to renamed_downloads');
    expect(await status()).toBe(500);
    await service.query('alter table renamed_downloads rename to document_downloads');
    expect(await status()).toBe(200);
    expect((await readLog(_id)).data.map(({ user }) => user._id)).toEqual([people.stranger._id]);
  });

  it('is allowed for the uploader and administrators', async () => {
    const { people } = started;
    const { _id } = await upload({ visibility: 'public' });
    const status = async (as?: DirectoryUser) => (await call('GET', `/${_id}/downloads`, as)).status;
    expect(await status(people.admin)).toBe(200);
    expect(await call('GET', `/${_id}/downloads`, people.friend)).toMatchObject({
      status: 403,
      body: { message: 'Only the uploader and administrators can see who downloaded this document' },
    });
    expect((await call('GET', `/${(await upload())._id}/downloads`, people.friend)).status).toBe(404);
    expect(await status()).toBe(401);
    expect(await call('GET', `/${_id}/downloads?page=1001`, people.uploader)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
  });

  it('omits downloads older than 180 days, and all of a deleted document', async () => {
    const { service, people } = started;
    const { _id } = await upload({ visibility: 'public' });
    for (const user of [people.friend, people.stranger]) await call('GET', `/${_id}`, user);
    const setAge = (user: DirectoryUser, days: number) =>
      service.query(
        `update document_downloads set created_at = now() - make_interval(days => $1) where document_id = $2 and user_id = $3`,
        [days, _id, user._id],
      );
    await setAge(people.friend, 181);
    await setAge(people.stranger, 179);
    const db = createDb(service.env.DATABASE_URL ?? '', 1, service.running.log);
    expect(await applyRetention(db, [EXPIRED_DOWNLOADS])).toBe(1);
    await db.pool.end();
    expect((await readLog(_id)).data.map(({ user }) => user._id)).toEqual([people.stranger._id]);
    await call('DELETE', `/${_id}`, people.uploader);
    await call('DELETE', `/trash/${_id}`, people.uploader);
    expect(await service.query('select from document_downloads where document_id = $1', [_id])).toEqual([]);
  });
});
