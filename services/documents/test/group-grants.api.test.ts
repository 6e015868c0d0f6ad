import { documentShared, documentUpdated } from '@atrium/proto-events/events/documents';
import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { userDeparted } from '@atrium/proto-events/events/users';
import type { Document } from '@atrium/proto-events/http/documents';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDocument, type Started, startDocuments } from './factories.ts';

let started: Started;
beforeAll(async () => {
  started = await startDocuments();
});
afterAll(() => started.service.close());

const SALES = newId();
const NAMES = ['admin', 'uploader', 'inside', 'outside', 'chosen'] as const;
type Name = (typeof NAMES)[number];
let cast: Record<Name | 'deactivated', DirectoryUser>;

beforeEach(() => {
  const { service, people } = started;
  service.running.directory.putDepartment({ _id: SALES, name: 'Sales', isActive: true, version: 1 });
  cast = {
    admin: people.admin,
    uploader: people.uploader,
    inside: buildUser({ departmentId: SALES }),
    outside: buildUser(),
    // A self-assigned department grants no access.
    chosen: buildUser({ departmentId: SALES, departmentSelfAssigned: true }),
    deactivated: buildUser({ departmentId: SALES, status: 'inactive' }),
  };
  service.addToDirectory(...Object.values(cast));
});

const call = (method: string, path: string, as: DirectoryUser, body?: unknown) =>
  started.service.call(method, `/documents${path}`, { as, ...(body !== undefined && { body }) });
const idsIn = (body: unknown) => (body as { data: Document[] }).data.map(({ _id }) => _id);

/** Returns who can read a document; asserts that list, search, counts, and versions agree. */
async function readers({ _id, name }: Document): Promise<Name[]> {
  const readerNames: Name[] = [];
  for (const who of NAMES) {
    const as = cast[who];
    const { status } = await call('GET', `/${_id}?link=false`, as);
    const reads = status === 200;
    const listed = idsIn((await call('GET', '?limit=100', as)).body).includes(_id);
    const searched = await call('GET', `?search=${name}`, as);
    const { total } = searched.body as { total: number };
    const sees = { listed, searched: idsIn(searched.body).includes(_id), total };
    expect({ who, ...sees }).toEqual({ who, listed: reads, searched: reads, total: Number(reads) });
    expect((await call('GET', `/${_id}/versions`, as)).status).toBe(status);
    if (reads) readerNames.push(who);
  }
  return readerNames;
}

const createPrivateDocument = () =>
  createDocument(started.service, { as: started.people.uploader, fields: { name: `Plan${newId()}` } });
const share = (id: string, body: unknown, as = cast.uploader) => call('POST', `/${id}/share`, as, body);
const unshare = (id: string, body: unknown, as = cast.uploader) => call('DELETE', `/${id}/share`, as, body);

const buildProjectData = (projectId: string, memberIds: string[], version: number) => ({
  projectId,
  name: 'Portal',
  status: 'in-progress',
  managerId: newId(),
  memberIds,
  version,
});
async function buildProject(...members: DirectoryUser[]): Promise<string> {
  const projectId = newId();
  const ids = members.map(({ _id }) => _id);
  await started.service.deliver(projectCreated, { ...buildProjectData(projectId, ids, 1), createdBy: newId() });
  return projectId;
}

describe('a document shared with a department', () => {
  it('is readable by its current members until the share is removed', async () => {
    const document = await createPrivateDocument();
    expect(await readers(document)).toEqual(['admin', 'uploader']);
    const shared = await share(document._id, { departmentIds: [SALES] });
    expect(shared).toMatchObject({
      status: 200,
      body: { version: 2, sharedWith: [], sharedWithDepartments: [{ _id: SALES, name: 'Sales' }] },
    });
    expect(await readers(document)).toEqual(['admin', 'uploader', 'inside']);
    expect((await unshare(document._id, { departmentIds: [SALES] })).status).toBe(204);
    expect(await readers(document)).toEqual(['admin', 'uploader']);
  });

  it('follows members who join or leave, as reported by the directory', async () => {
    const { service } = started;
    const document = await createPrivateDocument();
    await share(document._id, { departmentIds: [SALES] });
    await service.publishUser({ ...cast.outside, departmentId: SALES, version: 2 });
    await service.publishUser({ ...cast.inside, departmentId: null, version: 2 });
    await waitFor(() => service.running.directory.user(cast.inside._id)?.departmentId === null, {
      description: 'the directory update',
    });
    expect(await readers(document)).toEqual(['admin', 'uploader', 'outside']);
    service.addToDirectory({ ...cast.inside, departmentId: newId(), version: 3 });
    expect(await readers(document)).toEqual(['admin', 'uploader', 'outside']);
  });

  it('is not readable by a deactivated member', async () => {
    const { service } = started;
    const document = await createPrivateDocument();
    await share(document._id, { departmentIds: [SALES] });
    expect((await call('GET', `/${document._id}`, cast.deactivated)).status).toBe(401);
    service.addToDirectory({ ...cast.inside, status: 'inactive', sessionsValidAfter: Date.now() + 1, version: 2 });
    expect((await call('GET', `/${document._id}`, cast.inside)).status).toBe(401);
  });

  it('notifies the department by id, and new readers individually, once', async () => {
    const { service } = started;
    const document = await createPrivateDocument();
    const second = buildUser({ departmentId: SALES });
    service.addToDirectory(second);
    await share(document._id, { userIds: [second._id] });
    await share(document._id, { departmentIds: [SALES, SALES] });
    expect(await share(document._id, { departmentIds: [SALES] })).toMatchObject({ body: { version: 3 } });
    const { data } = await service.waitForEvent(
      documentShared,
      (event) => event.documentId === document._id && event.version === 3,
    );
    expect(data.audience.departmentIds).toEqual([SALES]);
    expect(data.sharedWithDepartments).toEqual([SALES]);
    expect(data.sharedWith).toContain(cast.inside._id);
    for (const user of [second, cast.uploader, cast.deactivated]) expect(data.sharedWith).not.toContain(user._id);
    await unshare(document._id, { departmentIds: [SALES] });
    const after = await service.waitForEvent(documentUpdated, (event) => event.documentId === document._id);
    expect(after.data).toMatchObject({ changed: ['sharedWith'], audience: { departmentIds: [SALES] } });
  });

  it('keeps its shares when it is deleted and restored', async () => {
    const document = await createPrivateDocument();
    await share(document._id, { departmentIds: [SALES] });
    expect((await call('DELETE', `/${document._id}`, cast.uploader)).status).toBe(204);
    expect(await readers(document)).toEqual([]);
    expect((await call('POST', `/trash/${document._id}/restore`, cast.uploader)).status).toBe(200);
    expect(await readers(document)).toEqual(['admin', 'uploader', 'inside']);
  });
});

describe('a document shared with a project', () => {
  it('is readable by its current members until the share is removed, despite repeated and late events', async () => {
    const { service } = started;
    const project = await buildProject(cast.inside);
    const document = await createPrivateDocument();
    const shared = await share(document._id, { projectIds: [project] });
    expect(shared.body).toMatchObject({ sharedWithProjects: [project], version: 2 });
    expect(await readers(document)).toEqual(['admin', 'uploader', 'inside']);
    const { data } = await service.waitForEvent(documentShared, (event) => event.documentId === document._id);
    expect(data).toMatchObject({ sharedWith: [cast.inside._id], sharedWithProjects: [project] });
    expect(data.audience.userIds).toContain(cast.inside._id);
    const changed = { progress: 0, changed: ['memberIds'] };
    await service.deliver(projectUpdated, { ...buildProjectData(project, [cast.outside._id], 3), ...changed }, 2);
    await service.deliver(projectUpdated, { ...buildProjectData(project, [cast.inside._id], 2), ...changed });
    expect(await readers(document)).toEqual(['admin', 'uploader', 'outside']);
    expect((await unshare(document._id, { projectIds: [project] })).status).toBe(204);
    expect(await readers(document)).toEqual(['admin', 'uploader']);
  });

  it('becomes unreadable for all members when the project is deleted', async () => {
    const project = await buildProject(cast.inside);
    const document = await createPrivateDocument();
    await share(document._id, { projectIds: [project] });
    await started.service.deliver(projectDeleted, { projectId: project, name: 'Portal' }, 2);
    expect(await readers(document)).toEqual(['admin', 'uploader']);
    expect(await share(document._id, { projectIds: [project, newId()] })).toMatchObject({
      status: 400,
      body: { message: ['Project not found'] },
    });
  });
});

it('a document combines grants of all kinds, each removable on its own', async () => {
  const project = await buildProject(cast.inside);
  const document = await createPrivateDocument();
  await share(document._id, { userIds: [cast.inside._id], departmentIds: [SALES], projectIds: [project] });
  const kinds = [{ userIds: [cast.inside._id] }, { departmentIds: [SALES] }, { projectIds: [project] }];
  for (const kind of kinds) {
    expect(await readers(document)).toEqual(['admin', 'uploader', 'inside']);
    expect((await unshare(document._id, kind)).status).toBe(204);
  }
  expect(await readers(document)).toEqual(['admin', 'uploader']);
});

it('a reader by department can share a document, but cannot remove shares', async () => {
  const document = await createPrivateDocument();
  await share(document._id, { departmentIds: [SALES] });
  expect((await share(document._id, { userIds: [cast.outside._id] }, cast.inside)).status).toBe(200);
  expect(await readers(document)).toEqual(['admin', 'uploader', 'inside', 'outside']);
  expect((await unshare(document._id, { departmentIds: [SALES] }, cast.inside)).status).toBe(403);
  expect((await share(document._id, { projectIds: [newId()] }, buildUnrelatedUser())).status).toBe(404);
});

function buildUnrelatedUser(): DirectoryUser {
  const person = buildUser();
  started.service.addToDirectory(person);
  return person;
}

it('a document shared with a department counts in the stats of its members', async () => {
  const before = (await call('GET', '/stats', cast.inside)).body as { total: number };
  const document = await createPrivateDocument();
  await share(document._id, { departmentIds: [SALES] });
  expect((await call('GET', '/stats', cast.inside)).body).toMatchObject({ total: before.total + 1 });
});

describe('sharing', () => {
  it('rejects empty, unknown, and inactive departments, and too many grantees', async () => {
    const { service } = started;
    const { _id } = await createPrivateDocument();
    const message = ['Documents can be shared with active departments only'];
    const closed = newId();
    service.running.directory.putDepartment({ _id: closed, name: 'Closed', isActive: false, version: 1 });
    for (const id of [newId(), closed])
      expect(await share(_id, { departmentIds: [id] })).toMatchObject({ status: 400, body: { message } });
    expect(await share(_id, {})).toMatchObject({ status: 400, body: { message: ['Select whom to share with'] } });
    expect((await unshare(_id, {})).status).toBe(400);

    const departmentIds = Array.from({ length: 101 }, newId);
    for (const id of departmentIds)
      service.running.directory.putDepartment({ _id: id, name: id, isActive: true, version: 1 });
    expect((await share(_id, { departmentIds })).status).toBe(400);
    expect((await share(_id, { departmentIds: departmentIds.slice(1) })).status).toBe(200);
    expect(await share(_id, { departmentIds: departmentIds.slice(0, 1) })).toMatchObject({
      status: 409,
      body: { message: 'A document can be shared with at most 100 departments and projects' },
    });
    const manyUsers = Array.from({ length: 501 }, () => buildUser());
    service.addToDirectory(...manyUsers);
    const ids = manyUsers.map((person) => person._id);
    expect((await share(_id, { userIds: ids.slice(1) })).status).toBe(200);
    expect(await share(_id, { userIds: ids.slice(0, 1) })).toMatchObject({
      status: 409,
      body: { message: 'A document can be shared with at most 500 people' },
    });
  });
});

it('a share with a user who was deactivated is removed permanently', async () => {
  const shared = await createPrivateDocument();
  const kept = await createPrivateDocument();
  const { outside, inside } = cast;
  for (const { _id } of [shared, kept]) {
    expect((await share(_id, { userIds: [outside._id, inside._id] })).status).toBe(200);
  }
  expect((await call('DELETE', `/${kept._id}`, cast.uploader)).status).toBe(204);
  const event = { userId: outside._id, reason: 'deactivated' as const, version: 2 };
  started.service.addToDirectory({ ...outside, status: 'inactive', version: 2 });
  await started.service.deliver(userDeparted, event, 2, cast.admin._id);
  started.service.addToDirectory({ ...outside, version: 3 });
  expect(await readers(shared)).toEqual(['admin', 'uploader', 'inside']);
  const updated = await started.service.waitForEvent(
    documentUpdated,
    ({ documentId, changed }) => documentId === shared._id && changed.includes('sharedWith'),
  );
  expect(updated).toMatchObject({ actorId: cast.admin._id, data: { version: shared.version + 2 } });
  expect(started.service.countPublished(documentUpdated, ({ documentId }) => documentId === shared._id)).toBe(1);
});
