import { documentShared, documentUpdated } from '@atrium/proto-events/events/documents';
import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { userDeactivated } from '@atrium/proto-events/events/users';
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
const NAMES = ['admin', 'uploader', 'member', 'outsider', 'selfAssigned'] as const;
type Name = (typeof NAMES)[number];
let users: Record<Name | 'deactivated', DirectoryUser>;

beforeEach(() => {
  const { service, people } = started;
  service.running.directory.putDepartment({ _id: SALES, name: 'Sales', isActive: true, version: 1 });
  users = {
    admin: people.admin,
    uploader: people.uploader,
    member: buildUser({ departmentId: SALES }),
    outsider: buildUser(),
    // A self-assigned department grants no access.
    selfAssigned: buildUser({ departmentId: SALES, departmentSelfAssigned: true }),
    deactivated: buildUser({ departmentId: SALES, status: 'inactive' }),
  };
  service.addToDirectory(...Object.values(users));
});

const call = (method: string, path: string, as: DirectoryUser, body?: unknown) =>
  started.service.call(method, `/documents${path}`, { as, ...(body !== undefined && { body }) });
const idsIn = (body: unknown) => (body as { data: Document[] }).data.map(({ _id }) => _id);

/** Returns who can read a document; asserts that list, search, counts, and versions agree. */
async function listReaders({ _id, name: documentName }: Document): Promise<Name[]> {
  const readerNames: Name[] = [];
  for (const name of NAMES) {
    const as = users[name];
    const { status } = await call('GET', `/${_id}?link=false`, as);
    const canRead = status === 200;
    const listed = idsIn((await call('GET', '?limit=100', as)).body).includes(_id);
    const searched = await call('GET', `?search=${documentName}`, as);
    const { total } = searched.body as { total: number };
    const results = { listed, searched: idsIn(searched.body).includes(_id), total };
    expect({ name, ...results }).toEqual({ name, listed: canRead, searched: canRead, total: Number(canRead) });
    expect((await call('GET', `/${_id}/versions`, as)).status).toBe(status);
    if (canRead) readerNames.push(name);
  }
  return readerNames;
}

const createPrivateDocument = () =>
  createDocument(started.service, { as: started.people.uploader, fields: { name: `Plan${newId()}` } });
const share = (id: string, body: unknown, as = users.uploader) => call('POST', `/${id}/share`, as, body);
const unshare = (id: string, body: unknown, as = users.uploader) => call('DELETE', `/${id}/share`, as, body);

const buildProjectData = (projectId: string, memberIds: string[], version: number) => ({
  projectId,
  name: 'Portal',
  status: 'in-progress',
  managerId: newId(),
  memberIds,
  version,
});
async function createProject(...members: DirectoryUser[]): Promise<string> {
  const projectId = newId();
  const ids = members.map(({ _id }) => _id);
  await started.service.deliver(projectCreated, { ...buildProjectData(projectId, ids, 1), createdBy: newId() });
  return projectId;
}

describe('a document shared with a department', () => {
  it('is readable by its current members until the share is removed', async () => {
    const document = await createPrivateDocument();
    expect(await listReaders(document)).toEqual(['admin', 'uploader']);
    const shared = await share(document._id, { departmentIds: [SALES] });
    expect(shared).toMatchObject({
      status: 200,
      body: { version: 2, sharedWith: [], sharedWithDepartments: [{ _id: SALES, name: 'Sales' }] },
    });
    expect(await listReaders(document)).toEqual(['admin', 'uploader', 'member']);
    expect((await unshare(document._id, { departmentIds: [SALES] })).status).toBe(204);
    expect(await listReaders(document)).toEqual(['admin', 'uploader']);
  });

  it('follows members who join or leave, as reported by the directory', async () => {
    const { service } = started;
    const document = await createPrivateDocument();
    await share(document._id, { departmentIds: [SALES] });
    await service.publishUser({ ...users.outsider, departmentId: SALES, version: 2 });
    await service.publishUser({ ...users.member, departmentId: null, version: 2 });
    await waitFor(() => service.running.directory.user(users.member._id)?.departmentId === null, {
      description: 'the directory update',
    });
    expect(await listReaders(document)).toEqual(['admin', 'uploader', 'outsider']);
    service.addToDirectory({ ...users.member, departmentId: newId(), version: 3 });
    expect(await listReaders(document)).toEqual(['admin', 'uploader', 'outsider']);
  });

  it('is not readable by a deactivated member', async () => {
    const { service } = started;
    const document = await createPrivateDocument();
    await share(document._id, { departmentIds: [SALES] });
    expect((await call('GET', `/${document._id}`, users.deactivated)).status).toBe(401);
    service.addToDirectory({ ...users.member, status: 'inactive', sessionsValidAfter: Date.now() + 1, version: 2 });
    expect((await call('GET', `/${document._id}`, users.member)).status).toBe(401);
  });

  it('publishes the department by id, and notifies each new reader once', async () => {
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
    expect(data.sharedWith).toContain(users.member._id);
    for (const user of [second, users.uploader, users.deactivated]) expect(data.sharedWith).not.toContain(user._id);
    await unshare(document._id, { departmentIds: [SALES] });
    const after = await service.waitForEvent(documentUpdated, (event) => event.documentId === document._id);
    expect(after.data).toMatchObject({
      changed: ['sharedWith'],
      audience: { departmentIds: [SALES] },
      currentAudience: { everyone: false, userIds: [users.uploader._id, second._id] },
    });
    expect(after.data.currentAudience?.departmentIds).toBeUndefined();
  });

  it('keeps its shares when it is deleted and restored', async () => {
    const document = await createPrivateDocument();
    await share(document._id, { departmentIds: [SALES] });
    expect((await call('DELETE', `/${document._id}`, users.uploader)).status).toBe(204);
    expect(await listReaders(document)).toEqual([]);
    expect((await call('POST', `/trash/${document._id}/restore`, users.uploader)).status).toBe(200);
    expect(await listReaders(document)).toEqual(['admin', 'uploader', 'member']);
  });
});

describe('a document shared with a project', () => {
  it('is readable by its current members until the share is removed, despite repeated and late events', async () => {
    const { service } = started;
    const project = await createProject(users.member);
    const document = await createPrivateDocument();
    const shared = await share(document._id, { projectIds: [project] });
    expect(shared.body).toMatchObject({ sharedWithProjects: [project], version: 2 });
    expect(await listReaders(document)).toEqual(['admin', 'uploader', 'member']);
    const { data } = await service.waitForEvent(documentShared, (event) => event.documentId === document._id);
    expect(data).toMatchObject({ sharedWith: [users.member._id], sharedWithProjects: [project] });
    expect(data.audience.userIds).toContain(users.member._id);
    const changed = { progress: 0, changed: ['memberIds'] };
    await service.deliver(projectUpdated, { ...buildProjectData(project, [users.outsider._id], 3), ...changed }, 2);
    await service.deliver(projectUpdated, { ...buildProjectData(project, [users.member._id], 2), ...changed });
    expect(await listReaders(document)).toEqual(['admin', 'uploader', 'outsider']);
    expect((await unshare(document._id, { projectIds: [project] })).status).toBe(204);
    expect(await listReaders(document)).toEqual(['admin', 'uploader']);
  });

  it('becomes unreadable for all members when the project is deleted', async () => {
    const project = await createProject(users.member);
    const document = await createPrivateDocument();
    await share(document._id, { projectIds: [project] });
    await started.service.deliver(projectDeleted, { projectId: project, name: 'Portal' }, 2);
    expect(await listReaders(document)).toEqual(['admin', 'uploader']);
    expect(await share(document._id, { projectIds: [project, newId()] })).toMatchObject({
      status: 400,
      body: { message: ['Project not found'] },
    });
  });
});

it('a document combines grants of all kinds, each removable on its own', async () => {
  const project = await createProject(users.member);
  const document = await createPrivateDocument();
  await share(document._id, { userIds: [users.member._id], departmentIds: [SALES], projectIds: [project] });
  const kinds = [{ userIds: [users.member._id] }, { departmentIds: [SALES] }, { projectIds: [project] }];
  for (const kind of kinds) {
    expect(await listReaders(document)).toEqual(['admin', 'uploader', 'member']);
    expect((await unshare(document._id, kind)).status).toBe(204);
  }
  expect(await listReaders(document)).toEqual(['admin', 'uploader']);
});

it('a reader by department can share a document, but cannot remove shares', async () => {
  const document = await createPrivateDocument();
  await share(document._id, { departmentIds: [SALES] });
  expect((await share(document._id, { userIds: [users.outsider._id] }, users.member)).status).toBe(200);
  expect(await listReaders(document)).toEqual(['admin', 'uploader', 'member', 'outsider']);
  expect((await unshare(document._id, { departmentIds: [SALES] }, users.member)).status).toBe(403);
  expect((await share(document._id, { projectIds: [newId()] }, addUnrelatedUser())).status).toBe(404);
});

function addUnrelatedUser(): DirectoryUser {
  const user = buildUser();
  started.service.addToDirectory(user);
  return user;
}

it('a document shared with a department counts in the stats of its members', async () => {
  const before = (await call('GET', '/stats', users.member)).body as { total: number };
  const document = await createPrivateDocument();
  await share(document._id, { departmentIds: [SALES] });
  expect((await call('GET', '/stats', users.member)).body).toMatchObject({ total: before.total + 1 });
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
    const ids = manyUsers.map((user) => user._id);
    expect((await share(_id, { userIds: ids.slice(1) })).status).toBe(200);
    expect(await share(_id, { userIds: ids.slice(0, 1) })).toMatchObject({
      status: 409,
      body: { message: 'A document can be shared with at most 500 people' },
    });
  });
});

it('a share with a user who was deactivated is removed permanently', async () => {
  const shared = await createPrivateDocument();
  const deleted = await createPrivateDocument();
  const { outsider, member } = users;
  for (const { _id } of [shared, deleted]) {
    expect((await share(_id, { userIds: [outsider._id, member._id] })).status).toBe(200);
  }
  expect((await call('DELETE', `/${deleted._id}`, users.uploader)).status).toBe(204);
  const event = { userId: outsider._id, reason: 'deactivated' as const, version: 2 };
  started.service.addToDirectory({ ...outsider, status: 'inactive', version: 2 });
  await started.service.deliver(userDeactivated, event, 2, users.admin._id);
  started.service.addToDirectory({ ...outsider, version: 3 });
  expect(await listReaders(shared)).toEqual(['admin', 'uploader', 'member']);
  const updated = await started.service.waitForEvent(
    documentUpdated,
    ({ documentId, changed }) => documentId === shared._id && changed.includes('sharedWith'),
  );
  expect(updated).toMatchObject({ actorId: users.admin._id, data: { version: shared.version + 2 } });
  expect(started.service.countPublished(documentUpdated, ({ documentId }) => documentId === shared._id)).toBe(1);
});
