import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import type { Document } from '@atrium/proto-events/http/documents';
import { newId } from '@atrium/service-kit/process/new-id';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocument, type People, type Started, startDocuments } from './factories.ts';

let started: Started;
beforeAll(async () => {
  started = await startDocuments();
});
afterAll(() => started.service.close());

type Name = keyof People;
const ALL_USERS: Name[] = ['admin', 'uploader', 'friend', 'colleague', 'manager', 'stranger'];

const buildProjectData = (projectId: string, memberIds: string[], version: number) => ({
  projectId,
  name: 'Portal',
  status: 'in-progress',
  managerId: started.people.manager._id,
  memberIds,
  version,
});

async function createProject(): Promise<string> {
  const projectId = newId();
  const { service, people } = started;
  const members = [people.colleague._id, people.uploader._id];
  await service.deliver(projectCreated, { ...buildProjectData(projectId, members, 1), createdBy: people.admin._id }, 2);
  return projectId;
}

/** Returns who can read the document; asserts that each of them, and no one else, finds it in the list. */
async function listReaders(id: string): Promise<Name[]> {
  const { service, people } = started;
  const readerNames: Name[] = [];
  for (const name of ALL_USERS) {
    const { status } = await service.call('GET', `/documents/${id}`, { as: people[name] });
    const { body } = await service.call('GET', '/documents?limit=100', { as: people[name] });
    const listed = (body as { data: Document[] }).data.some(({ _id }) => _id === id);
    expect({ name, listed }).toEqual({ name, listed: status === 200 });
    expect([200, 404]).toContain(status);
    if (status === 200) readerNames.push(name);
  }
  return readerNames;
}

const createUploaderDocument = (fields: Record<string, string>) =>
  createDocument(started.service, { as: started.people.uploader, fields });
const share = (id: string, name: Name) =>
  started.service.call('POST', `/documents/${id}/share`, {
    as: started.people.uploader,
    body: { userIds: [started.people[name]._id] },
  });

describe('a document with visibility', () => {
  it('private is readable by its uploader, administrators, and grantees', async () => {
    const { _id } = await createUploaderDocument({});
    expect(await listReaders(_id)).toEqual(['admin', 'uploader']);
    await share(_id, 'friend');
    expect(await listReaders(_id)).toEqual(['admin', 'uploader', 'friend']);
  });

  it('team without a project, or public, is readable by everyone who is signed in', async () => {
    expect(await listReaders((await createUploaderDocument({ visibility: 'team' }))._id)).toEqual(ALL_USERS);
    expect(await listReaders((await createUploaderDocument({ visibility: 'public' }))._id)).toEqual(ALL_USERS);
  });

  it('team with a project is readable by project members and grantees', async () => {
    const project = await createProject();
    const { _id } = await createUploaderDocument({ visibility: 'team', project });
    expect(await listReaders(_id)).toEqual(['admin', 'uploader', 'colleague', 'manager']);
    await share(_id, 'stranger');
    expect(await listReaders(_id)).toEqual(['admin', 'uploader', 'colleague', 'manager', 'stranger']);
  });

  it('private or public with a project is readable as without a project', async () => {
    const project = await createProject();
    expect(await listReaders((await createUploaderDocument({ project }))._id)).toEqual(['admin', 'uploader']);
    expect(await listReaders((await createUploaderDocument({ project, visibility: 'public' }))._id)).toEqual(ALL_USERS);
  });

  it('team with a project follows the membership, despite repeated and late events', async () => {
    const { service, people } = started;
    const project = await createProject();
    const { _id } = await createUploaderDocument({ visibility: 'team', project });
    const changed = { progress: 0, changed: ['memberIds'] };
    await service.deliver(projectUpdated, { ...buildProjectData(project, [people.friend._id], 3), ...changed }, 2);
    expect(await listReaders(_id)).toEqual(['admin', 'uploader', 'friend', 'manager']);
    await service.deliver(projectUpdated, { ...buildProjectData(project, [people.stranger._id], 2), ...changed });
    expect(await listReaders(_id)).toEqual(['admin', 'uploader', 'friend', 'manager']);
  });

  it('team with a deleted project stays limited, even if the project’s creation arrives later', async () => {
    const { service, people } = started;
    const project = await createProject();
    const { _id } = await createUploaderDocument({ visibility: 'team', project });
    await service.deliver(projectDeleted, { projectId: project, name: 'Portal' }, 2);
    expect(await listReaders(_id)).toEqual(['admin', 'uploader']);
    const members = [people.colleague._id];
    await service.deliver(projectCreated, { ...buildProjectData(project, members, 9), createdBy: people.admin._id });
    expect(await listReaders(_id)).toEqual(['admin', 'uploader']);
  });
});

describe('permissions of a reader', () => {
  it.each([
    ['admin', { update: true, delete: true, share: true }],
    ['uploader', { update: true, delete: true, share: true }],
    ['friend', { update: false, delete: false, share: true }],
  ] as const)('of %s are %j', async (name, abilities) => {
    const { service, people } = started;
    const { _id } = await createUploaderDocument({});
    await share(_id, 'friend');
    const call = (method: string, path: string, body?: unknown) =>
      service.call(method, `/documents/${_id}${path}`, { as: people[name], ...(body !== undefined && { body }) });
    const { body } = await call('GET', '');
    const { denialReasons } = body as Document;
    expect(body).toMatchObject({ abilities });
    expect((await call('POST', '/share', { userIds: [people.colleague._id] })).status).toBe(200);
    const edited = await call('PATCH', '', { name: 'New name' });
    expect(edited).toMatchObject(
      abilities.update ? { status: 200 } : { status: 403, body: { message: denialReasons.update } },
    );
    const response = await call('DELETE', '/share', { userIds: [people.colleague._id] });
    expect(response.status).toBe(abilities.update ? 204 : 403);
    const deleted = await call('DELETE', '');
    expect(deleted).toMatchObject(
      abilities.delete ? { status: 204 } : { status: 403, body: { message: denialReasons.delete } },
    );
    expect(Object.keys(denialReasons)).toEqual(abilities.update ? [] : ['update', 'delete']);
  });

  it('are 404 on every endpoint for users without access', async () => {
    const { service, people } = started;
    const { _id } = await createUploaderDocument({});
    const calls: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/share', { userIds: [people.friend._id] }],
      ['DELETE', '/share', { userIds: [people.friend._id] }],
    ];
    for (const [method, path, body] of calls) {
      for (const id of [_id, 'f'.repeat(24), 'nonsense']) {
        const options = { as: people.stranger, ...(body !== undefined && { body }) };
        expect((await service.call(method, `/documents/${id}${path}`, options)).status).toBe(404);
      }
      const anonymous = body === undefined ? {} : { body };
      expect((await service.call(method, `/documents/${_id}${path}`, anonymous)).status).toBe(401);
    }
  });
});
