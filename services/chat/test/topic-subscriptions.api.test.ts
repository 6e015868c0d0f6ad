import { invitationRevoked } from '@atrium/proto-events/events/auth';
import { documentUpdated } from '@atrium/proto-events/events/documents';
import { projectUpdated, taskUpdated } from '@atrium/proto-events/events/projects';
import { userUpdated } from '@atrium/proto-events/events/users';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { createDirect, type People } from './factories.ts';
import { people, service } from './running-chat.ts';
import { connectLive } from './sockets.ts';

type LiveSocket = Awaited<ReturnType<typeof connectLive>>;
const connectAs = (as: keyof People) => connectLive(service, people[as]);

const changeProject = (projectId: string, version = 2, ...changed: string[]) =>
  service.deliver(projectUpdated, {
    projectId,
    name: 'Name',
    status: 'in-progress',
    managerId: newId(),
    memberIds: [],
    version,
    progress: 5,
    changed: changed.length > 0 ? changed : ['progress'],
  });
const changeTask = (projectId: string, taskId = newId()) =>
  service.deliver(taskUpdated, {
    taskId,
    projectId,
    title: 'Task',
    status: 'todo',
    assignedTo: null,
    version: 2,
    progress: 0,
    changed: ['status'],
  });
const changeUser = (userId: string, ...changed: string[]) =>
  service.deliver(userUpdated, { userId, role: 'member', status: 'active', version: 2, changed });

/** Resolves once these sockets, which are subscribed to projects, have received all earlier project changes. */
async function flushProjects(...sockets: LiveSocket[]): Promise<void> {
  const id = newId();
  await changeProject(id);
  await Promise.all(sockets.map(({ receives }) => receives((change) => change.id === id)));
}
const receivedIds = ({ received }: LiveSocket) => received().map(({ id }) => id);

describe('a subscribed socket', () => {
  it('receives changes of its topics only', async () => {
    const [mine, other, taskId, person] = [newId(), newId(), newId(), newId()];
    const [board, team, silent] = await Promise.all([connectAs('ben'), connectAs('member'), connectAs('stranger')]);
    await board.subscribe(['projects', `project:${mine}`]);
    await team.subscribe(['projects', 'people']);
    await silent.subscribe([]);
    await changeTask(other);
    await changeTask(mine, taskId);
    await changeUser(person, 'timezone');
    await changeUser(person, 'bio');
    await flushProjects(board, team);
    // User changes come from another stream.
    await team.receives(({ id }) => id === person);
    await Promise.all([board.drain(), silent.drain()]);
    expect(receivedIds(board).filter((id) => id === taskId || id === person)).toEqual([taskId]);
    expect(board.received()).toHaveLength(2);
    expect(board.received()[0]).toEqual({
      resource: 'task',
      id: taskId,
      action: 'updated',
      version: 2,
      scope: { project: mine },
      changed: ['status'],
      status: 'todo',
    });
    expect(team.received().filter(({ id }) => id === person)).toMatchObject([{ changed: ['bio'] }]);
    expect(silent.received()).toEqual([]);
  });

  it('receives changes of visible documents only, and nothing for administrators', async () => {
    const [ben, stranger, admin] = await Promise.all([connectAs('ben'), connectAs('stranger'), connectAs('admin')]);
    for (const one of [ben, stranger, admin]) await one.subscribe(['projects', 'documents']);
    const [documentId, shown] = [newId(), newId()];
    const update = (id: string, audience: { everyone: boolean; userIds: string[] }) =>
      service.deliver(documentUpdated, {
        documentId: id,
        name: 'Plan',
        uploadedBy: newId(),
        audience,
        version: 2,
        project: null,
        changed: ['name'],
      });
    await update(documentId, { everyone: false, userIds: [people.ben._id] });
    await update(shown, { everyone: true, userIds: [] });
    for (const { receives } of [ben, stranger, admin]) await receives(({ id }) => id === shown);
    expect([ben, stranger, admin].map((one) => receivedIds(one).includes(documentId))).toEqual([true, false, true]);
    await expect(stranger.subscribe(['everything'])).rejects.toThrow('validation_failed');
    for (const one of [stranger, admin]) await one.subscribe(['projects', 'invitations']);
    const invitationId = newId();
    await service.deliver(invitationRevoked, { invitationId, userId: newId() });
    await admin.receives(({ id }) => id === invitationId);
    await stranger.drain();
    expect(receivedIds(stranger)).not.toContain(invitationId);
  });
});

describe('a socket that reconnects', () => {
  it('receives the changes of its topics since its position, merged, with their age', async () => {
    const [before, witness] = [await connectAs('ben'), await connectAs('stranger')];
    const [project, person, task] = [newId(), newId(), newId()];
    const { position } = await before.subscribe(['projects']);
    await changeProject(project, 2, 'name');
    await before.receives(({ id }) => id === project);
    before.socket.disconnect();
    await changeProject(project, 3, 'status');
    await changeProject(project, 4, 'name');
    await changeUser(person, 'avatar');
    await changeTask(project, task);
    await flushProjects(witness);
    await witness.receives(({ id }) => id === person);

    const again = await connectAs('ben');
    const missed = await again.subscribe(['projects', `project:${project}`], before.positions.at(-1));
    const own = missed.changes?.filter(({ id }) => [project, person, task].includes(id));
    expect(own).toMatchObject([
      { id: project, version: 4, changed: expect.arrayContaining(['status', 'name']) },
      { id: task, scope: { project } },
    ]);
    for (const { ageMs } of missed.changes ?? []) expect(ageMs).toBeLessThan(60_000);
    const all = await again.subscribe(['projects', 'people'], position);
    expect(all.changes?.some(({ id }) => id === person)).toBe(true);
    expect((await again.subscribe(['projects', 'people'], all.position)).changes).toEqual([]);
    expect((await again.subscribe(['projects'], 'invalid')).changes).toBeNull();
  });

  it('receives the changes of its topics within an age if it has no position', async () => {
    const [project, witness] = [newId(), await connectAs('stranger')];
    await changeProject(project, 2, 'name');
    await flushProjects(witness);
    const ben = await connectAs('ben');
    const { changes } = await ben.subscribe(['projects'], 60_000);
    expect(changes?.filter(({ id }) => id === project)).toMatchObject([{ version: 2, changed: ['name'] }]);
    expect((await ben.subscribe(['documents'], 60_000)).changes?.some(({ id }) => id === project)).toBe(false);
    expect((await ben.subscribe(['projects'], 24 * 60 * 60_000)).changes).toBeNull();
    await expect(ben.subscribe(['projects'], -1)).rejects.toThrow('validation_failed');
  });

  it('receives no changes of conversations of others', async () => {
    const ben = await connectAs('ben');
    const { position } = await ben.subscribe(['conversations', 'projects']);
    const { _id } = await createDirect(service, people.member, people.admin);
    const own = await createDirect(service, people.member, people.ben);
    await ben.receives(({ id }) => id === own._id);
    const { changes } = await ben.subscribe(['conversations'], position);
    expect(changes?.some(({ id }) => id === _id)).toBe(false);
    expect(changes?.some(({ id }) => id === own._id)).toBe(true);
  });
});
