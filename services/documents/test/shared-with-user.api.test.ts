import { projectCreated } from '@atrium/proto-events/events/projects';
import type { SharedDocument } from '@atrium/proto-events/http/document-access';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDocument, type Started, startDocuments } from './factories.ts';

const SALES = newId();
let started: Started;
let reader: DirectoryUser;

beforeAll(async () => {
  started = await startDocuments();
  started.service.running.directory.putDepartment({ _id: SALES, name: 'Sales', isActive: true, version: 1 });
  reader = buildUser({ departmentId: SALES });
  started.service.addToDirectory(reader);
});
afterAll(() => started.service.close());

const create = (name: string, as = started.people.uploader) =>
  createDocument(started.service, { as, fields: { name } });

async function share(id: string, body: object, as = started.people.uploader): Promise<void> {
  const { status } = await started.service.call('POST', `/documents/${id}/share`, { as, body });
  expect(status).toBe(200);
}

async function listShared(as: DirectoryUser, query = '') {
  const { status, body } = await started.service.call('GET', `/documents/shared${query}`, { as });
  expect(status).toBe(200);
  const { data, total } = body as { data: SharedDocument[]; total: number };
  return { total, shares: data.map(({ name, sharedBy }) => [name, sharedBy._id]) };
}

it('documents shared with a user, their department, or their project are listed by their latest share', async () => {
  const { service, people } = started;
  const project = newId();
  const members = { managerId: people.manager._id, memberIds: [reader._id], status: 'in-progress', version: 1 };
  await service.deliver(projectCreated, { projectId: project, name: 'Portal', createdBy: newId(), ...members });
  const [plan, budget, notes, secret] = await Promise.all(
    ['Plan', 'Budget', 'Notes', 'Secret'].map((name) => create(name)),
  );
  await share(plan?._id ?? '', { userIds: [reader._id] });
  await share(budget?._id ?? '', { departmentIds: [SALES] });
  await share(notes?._id ?? '', { projectIds: [project] });
  await share(secret?._id ?? '', { userIds: [people.friend._id] });
  const uploader = people.uploader._id;
  expect(await listShared(reader)).toEqual({
    total: 3,
    shares: [
      ['Notes', uploader],
      ['Budget', uploader],
      ['Plan', uploader],
    ],
  });
  expect(await listShared(reader, '?limit=1&page=3')).toEqual({ total: 3, shares: [['Plan', uploader]] });
  expect(await listShared(reader, '?limit=1&page=4')).toEqual({ total: 3, shares: [] });
  // Shared again with all of Sales.
  await share(plan?._id ?? '', { departmentIds: [SALES] }, people.admin);
  expect((await listShared(reader)).shares[0]).toEqual(['Plan', people.admin._id]);
  await service.call('DELETE', `/documents/${plan?._id}`, { as: people.uploader });
  expect((await listShared(reader)).shares).toEqual([
    ['Notes', uploader],
    ['Budget', uploader],
  ]);
});

it('own documents, and shares that a user made, are not listed', async () => {
  const { people } = started;
  const own = await create('Own', reader);
  await share(own._id, { departmentIds: [SALES] }, reader);
  const { shares } = await listShared(reader);
  expect(shares.map(([name]) => name)).not.toContain('Own');
  expect(await listShared(people.stranger)).toEqual({ total: 0, shares: [] });
});

it('distant pages and anonymous callers are rejected', async () => {
  const { service, people } = started;
  expect((await service.call('GET', '/documents/shared?page=1e9', { as: people.stranger })).status).toBe(400);
  expect((await service.call('GET', '/documents/shared')).status).toBe(401);
});
