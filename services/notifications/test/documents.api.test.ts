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

type Audience = { everyone: boolean; userIds: string[]; departmentIds?: string[] };
type Shares = {
  documentId: string;
  id?: string;
  version?: number;
  audience?: Audience;
  sharedWithProjects?: string[];
  sharedWithDepartments?: string[];
};

const audienceOf = (...users: readonly { _id: string }[]): Audience => ({
  everyone: false,
  userIds: users.map(({ _id }) => _id),
});

/** Shares a document with the users at 10:00. */
async function share(readers: readonly { _id: string }[], { id = newId(), ...shares }: Shares): Promise<void> {
  setTime('10:00:00');
  const sharedWith = readers.map(({ _id }) => _id);
  const data = { ...DOCUMENT, audience: audienceOf(...readers), sharedWith, ...shares };
  await scenario.handle(documentHandlers(scenario.deps), { event: documentShared, data, actorId, id });
}

type Reduction = { documentId: string; version: number; currentAudience: Audience };

async function reduce({ documentId, version, currentAudience }: Reduction): Promise<void> {
  const data = {
    ...DOCUMENT,
    documentId,
    version,
    audience: currentAudience,
    changed: ['sharedWith'],
    currentAudience,
  };
  await scenario.handle(documentHandlers(scenario.deps), { event: documentUpdated, data, actorId });
}

const leaveProject = ({ _id }: { _id: string }) =>
  scenario.handle(documentHandlers(scenario.deps), {
    event: documentAccessChanged,
    data: { projectId: project, addedIds: [], removedIds: [_id] },
    actorId,
  });

/** Moves a user to another department, or to none. */
async function move(user: TestUsers['admin'], departmentId: string | null): Promise<void> {
  const version = user.version + 1;
  scenario.deps.directory.putUser({ ...user, departmentId, version });
  const { _id: userId, role, status } = user;
  await scenario.handle(userHandlers(scenario.deps), {
    event: userUpdated,
    data: { userId, role, status, version, changed: ['department'] },
    actorId,
  });
}

const listNotified = async (documentId: string) =>
  (await scenario.deps.store.notifications.find({ subjectId: documentId }).lean()).map(({ personId }) => personId);

describe('a share that is handled after access to the document has ended', () => {
  it('notifies only those who are still in the project, even if the clock of their removal is behind', async () => {
    const [documentId, member, former] = [newId(), createUser(), createUser()];
    setTime('09:59:58');
    await leaveProject(former);
    await share([member, former], { documentId, sharedWithProjects: [project] });
    expect(await listNotified(documentId)).toEqual([member._id]);
    const otherId = newId();
    await share([former], { documentId: otherId });
    expect(await listNotified(otherId)).toEqual([former._id]);
  });

  it.each(['09:59:59', '10:00:01'])(
    'notifies those who are still in the department, or have joined it by %s',
    async (time) => {
      const [documentId, outsider] = [newId(), createUser({ departmentId: newId() })];
      const colleague = createUser({ departmentId: department });
      const movers = { former: createUser({ departmentId: department }), joined: createUser() };
      setTime(time);
      await move(movers.former, newId());
      await move(movers.joined, department);
      await move(outsider, newId());
      const readers = [colleague, ...Object.values(movers), outsider];
      const audience = { ...audienceOf(outsider), departmentIds: [department] };
      await share(readers, { documentId, audience, sharedWithDepartments: [department] });
      // Shared with the outsider by name.
      const notified = [colleague, movers.joined, outsider].map(({ _id }) => _id);
      expect((await listNotified(documentId)).toSorted()).toEqual(notified.toSorted());
      const moves = { userIds: { $in: readers.map(({ _id }) => _id) } };
      expect(await scenario.deps.store.withdrawals.countDocuments(moves)).toBe(0);
    },
  );

  it('notifies nobody if the document was deleted, even by a pod whose clock is behind', async () => {
    const [documentId, reader] = [newId(), createUser()];
    setTime('09:59:58');
    const data = { ...DOCUMENT, documentId, version: 3, audience: audienceOf(reader) };
    await scenario.handle(documentHandlers(scenario.deps), { event: documentDeleted, data, actorId });
    await share([reader], { documentId, version: 2 });
    expect(await listNotified(documentId)).toEqual([]);
  });

  it('notifies those who can still read the document', async () => {
    const [documentId, former, reader] = [newId(), createUser(), createUser()];
    const [colleague, formerColleague] = [
      createUser({ departmentId: department }),
      createUser({ departmentId: newId() }),
    ];
    setTime('09:59:58');
    const currentAudience = { ...audienceOf(reader), departmentIds: [department] };
    await reduce({ documentId, version: 3, currentAudience });
    const audience = { everyone: true, userIds: [] };
    await share([former, reader, colleague, formerColleague], { documentId, version: 2, audience });
    expect((await listNotified(documentId)).toSorted()).toEqual([reader._id, colleague._id].toSorted());
  });

  it('notifies a reader of a later share, even if the clock of the change before it is ahead', async () => {
    const [documentId, reader] = [newId(), createUser()];
    setTime('10:00:02');
    await reduce({ documentId, version: 3, currentAudience: audienceOf() });
    const data = { ...DOCUMENT, documentId, version: 4, audience: audienceOf() };
    await scenario.handle(documentHandlers(scenario.deps), { event: documentDeleted, data, actorId });
    await share([reader], { documentId, version: 6 });
    expect(await listNotified(documentId)).toEqual([reader._id]);
  });

  it('withdraws what an interrupted attempt stored after access ended', async () => {
    const [documentId, id, member, former] = [newId(), newId(), createUser(), createUser()];
    const { notifications } = scenario.deps.store;
    const attempt = () => share([member, former], { documentId, id, sharedWithProjects: [project] });
    await attempt();
    const stored = await notifications.find({ personId: former._id }).lean();
    await leaveProject(former);
    await notifications.insertMany(stored);
    await attempt();
    expect([stored.length, await listNotified(documentId)]).toEqual([1, [member._id]]);
  });
});
