import { documentAccessChanged } from '@atrium/proto-events/events/documents';
import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import type { Document } from '@atrium/proto-events/http/documents';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitForLive } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocument, type Started, startDocuments } from './factories.ts';

let started: Started;

beforeAll(async () => {
  started = await startDocuments();
});
afterAll(async () => {
  await started.service.close();
});

async function createTeamDocument() {
  const { service, people } = started;
  const project = {
    projectId: newId(),
    name: 'Portal',
    status: 'in-progress',
    managerId: people.manager._id,
    memberIds: [people.uploader._id, people.colleague._id],
    version: 1,
  };
  await service.deliver(projectCreated, { ...project, createdBy: people.admin._id });
  const fields = { visibility: 'team', project: project.projectId };
  const { _id } = await createDocument(service, { as: people.uploader, fields });
  return { project, id: _id };
}

/** Returns the status of reading the document, or 0 if the list disagrees. */
async function readStatus(id: string, as: DirectoryUser, issuedAt = Date.now()): Promise<number> {
  const { service } = started;
  const headers = { authorization: `Bearer ${await service.tokens.sign(as, { issuedAt })}` };
  const [document, list] = await Promise.all([
    service.call('GET', `/documents/${id}`, { headers }),
    service.call('GET', '/documents?limit=100', { headers }),
  ]);
  const isListed = list.status === 200 && (list.body as { data: Document[] }).data.some(({ _id }) => _id === id);
  return isListed === (document.status === 200) ? document.status : 0;
}

describe('a project’s team document', () => {
  it('becomes unreadable for removed members and readable for added ones within a second', async () => {
    const { service, people } = started;
    const { project, id } = await createTeamDocument();
    expect(await readStatus(id, people.colleague)).toBe(200);
    expect(await readStatus(id, people.friend)).toBe(404);
    const memberIds = [people.uploader._id, people.friend._id];
    const delivery = service.deliver(projectUpdated, {
      ...project,
      memberIds,
      version: 2,
      progress: 0,
      changed: ['teamMembers'],
    });
    await Promise.all([
      waitForLive('the removed member cannot read it', async () => (await readStatus(id, people.colleague)) === 404),
      waitForLive('the added member can', async () => (await readStatus(id, people.friend)) === 200),
    ]);
    await delivery;
    const event = await service.waitForEvent(documentAccessChanged, ({ projectId }) => projectId === project.projectId);
    expect(event.data).toMatchObject({ addedIds: [people.friend._id], removedIds: [people.colleague._id] });
    // Browsers refetch after this event, so the current state must be readable by then.
    expect(await readStatus(id, people.colleague)).toBe(404);
    await service.deliver(projectDeleted, { projectId: project.projectId, name: 'Portal' }, 2);
    const all = [people.manager._id, people.uploader._id, people.friend._id].sort();
    await service.waitForEvent(documentAccessChanged, ({ removedIds }) => [...removedIds].sort().join() === all.join());
    // Renaming does not change readers.
    const other = await createTeamDocument();
    await service.deliver(projectUpdated, { ...other.project, version: 2, progress: 1, changed: ['progress'] });
    expect(service.countPublished(documentAccessChanged)).toBe(2);
  });

  it('becomes unreadable for a deactivated user within a second', async () => {
    const { people } = started;
    const { id } = await createTeamDocument();
    const issuedAt = Date.now() - 60_000;
    expect(await readStatus(id, people.colleague, issuedAt)).toBe(200);
    await started.service.publishUser({
      ...people.colleague,
      status: 'inactive',
      sessionsValidAfter: Date.now(),
      version: 2,
    });
    await waitForLive(
      'their token is rejected',
      async () => (await readStatus(id, people.colleague, issuedAt)) === 401,
    );
  });

  it('becomes unreadable for a demoted administrator within a second', async () => {
    const { people } = started;
    const { id } = await createTeamDocument();
    const issuedAt = Date.now() - 60_000;
    expect(await readStatus(id, people.admin, issuedAt)).toBe(200);
    await started.service.publishUser({
      ...people.admin,
      role: 'member',
      sessionsValidAfter: Date.now() - 1_000,
      version: 2,
    });
    await waitForLive('the old token is rejected', async () => (await readStatus(id, people.admin, issuedAt)) === 401);
    // The token still says administrator, but the directory decides.
    expect(await readStatus(id, people.admin)).toBe(404);
  });
});
