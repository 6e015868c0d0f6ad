import {
  documentAccessChanged,
  documentDeleted,
  documentShared,
  documentUpdated,
} from '@atrium/proto-events/events/documents';
import { userUpdated } from '@atrium/proto-events/events/users';
import { newId } from '@atrium/service-kit/process/new-id';
import { fakeClockInEachTest } from '@atrium/test-kit/fake-clock';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { documentHandlers } from '../src/handlers/on-document-events.ts';
import { userHandlers } from '../src/handlers/on-user-events.ts';
import { buildUniqueUser, type TestUsers } from './factories.ts';
import { setTime, startScenario } from './scenario.ts';

let scenario: Awaited<ReturnType<typeof startScenario>>;

beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario.close());
fakeClockInEachTest();

const [actorId, department, project] = [newId(), newId(), newId()];
const DOCUMENT = { name: 'Plan', uploadedBy: actorId, version: 2, project: null };

function createUser(fields: Partial<TestUsers['admin']> = {}) {
  const user = buildUniqueUser(fields);
  scenario.deps.directory.putUser(user);
  return user;
}

type Shares = { documentId: string; sharedWithProjects?: string[]; sharedWithDepartments?: string[] };

/** Shares a document with the users at 10:00. */
async function share(readers: readonly { _id: string }[], shares: Shares): Promise<void> {
  setTime('10:00:00');
  const sharedWith = readers.map(({ _id }) => _id);
  const data = { ...DOCUMENT, audience: { everyone: false, userIds: sharedWith }, sharedWith, ...shares };
  await scenario.handle(documentHandlers(scenario.deps), { event: documentShared, data, actorId });
}

const listNotified = async (documentId: string) =>
  (await scenario.deps.store.notifications.find({ subjectId: documentId }).lean()).map(({ personId }) => personId);

describe('a share that is handled after access to the document has ended', () => {
  it('notifies only those who are still in the project', async () => {
    const [documentId, member, former] = [newId(), createUser(), createUser()];
    setTime('10:00:01');
    await scenario.handle(documentHandlers(scenario.deps), {
      event: documentAccessChanged,
      data: { projectId: project, addedIds: [], removedIds: [former._id] },
      actorId,
    });
    await share([member, former], { documentId, sharedWithProjects: [project] });
    expect(await listNotified(documentId)).toEqual([member._id]);
    const otherId = newId();
    await share([former], { documentId: otherId });
    expect(await listNotified(otherId)).toEqual([former._id]);
  });

  it('notifies those who are still in the department, or have joined it', async () => {
    const colleague = createUser({ departmentId: department });
    const movers = { former: createUser({ departmentId: newId() }), joined: createUser({ departmentId: department }) };
    const documentId = newId();
    setTime('10:00:01');
    for (const { _id: userId, role, status, version } of Object.values(movers))
      await scenario.handle(userHandlers(scenario.deps), {
        event: userUpdated,
        data: { userId, role, status, version, changed: ['department'] },
        actorId,
      });
    const readers = [colleague, ...Object.values(movers)];
    await share(readers, { documentId, sharedWithDepartments: [department] });
    expect((await listNotified(documentId)).toSorted()).toEqual([colleague._id, movers.joined._id].toSorted());
  });

  it.each([
    ['was deleted', documentDeleted, {}],
    [
      'is no longer shared',
      documentUpdated,
      { changed: ['sharedWith'], currentAudience: { everyone: false, userIds: [] } },
    ],
  ] as const)('notifies nobody if the document %s', async (_, event, change) => {
    const [documentId, reader] = [newId(), createUser()];
    const audience = { everyone: false, userIds: [reader._id] };
    setTime('10:00:01');
    const data = { ...DOCUMENT, documentId, audience, changed: [], ...change };
    await scenario.handle(documentHandlers(scenario.deps), { event, data, actorId });
    await share([reader], { documentId });
    expect(await listNotified(documentId)).toEqual([]);
  });

  it('notifies a reader of a later share', async () => {
    const [documentId, reader] = [newId(), createUser()];
    setTime('09:59:59');
    const data = { ...DOCUMENT, documentId, audience: { everyone: false, userIds: [] } };
    await scenario.handle(documentHandlers(scenario.deps), { event: documentDeleted, data, actorId });
    await share([reader], { documentId });
    expect(await listNotified(documentId)).toEqual([reader._id]);
  });
});
