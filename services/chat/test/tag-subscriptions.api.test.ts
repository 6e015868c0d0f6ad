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
const listReceivedIds = ({ received }: LiveSocket) => received().map(({ id }) => id);

describe('a socket', () => {
  it('receives public changes of exactly its tags, and none before it subscribes', async () => {
    const projectId = newId();
    const otherProjectId = newId();
    const taskId = newId();
    const userId = newId();
    const [board, team, silent] = await Promise.all([connectAs('ben'), connectAs('member'), connectAs('stranger')]);
    await board.subscribe(['users', 'tasks']);
    await board.subscribe(['projects', `tasks-in:${projectId}`, `task:${taskId}`]);
    await team.subscribe(['projects', 'people']);
    await changeTask(otherProjectId);
    await changeTask(projectId, taskId);
    await changeUser(userId, 'timezone');
    await changeUser(userId, 'firstName');
    await flushProjects(board, team);
    // User changes come from another stream.
    await team.receives(({ id }) => id === userId);
    await Promise.all([board.drain(), silent.drain()]);
    expect(board.received().filter(({ resource }) => resource !== 'project')).toEqual([
      {
        resource: 'task',
        id: taskId,
        action: 'updated',
        version: 2,
        tags: ['tasks', `tasks-in:${projectId}`, `task:${taskId}`],
        changed: ['status'],
      },
    ]);
    expect(team.received().filter(({ id }) => id === userId)).toMatchObject([{ changed: ['firstName'] }]);
    expect(silent.received()).toEqual([]);
  });

  it('receives no changes of documents or invitations that its user cannot see', async () => {
    const [ben, stranger, admin] = await Promise.all([connectAs('ben'), connectAs('stranger'), connectAs('admin')]);
    for (const client of [ben, stranger, admin]) await client.subscribe(['projects', 'documents', 'invitations']);
    const documentId = newId();
    const publicDocumentId = newId();
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
    await update(publicDocumentId, { everyone: true, userIds: [] });
    for (const { receives } of [ben, stranger, admin]) await receives(({ id }) => id === publicDocumentId);
    expect([ben, stranger, admin].map((client) => listReceivedIds(client).includes(documentId))).toEqual([
      true,
      false,
      true,
    ]);
    const invitationId = newId();
    await service.deliver(invitationRevoked, { invitationId, userId: newId() });
    await admin.receives(({ id }) => id === invitationId);
    await stranger.drain();
    expect(listReceivedIds(stranger)).not.toContain(invitationId);
  });

  it('cannot subscribe to unknown tags, or to too many', async () => {
    const ben = await connectAs('ben');
    for (const tags of [['everything'], ['task:1'], Array.from({ length: 201 }, () => `task:${newId()}`)])
      await expect(ben.subscribe(tags)).rejects.toThrow('validation_failed');
  });
});

describe('a socket that reconnects', () => {
  it('receives the changes of its tags since its position, merged', async () => {
    const disconnectedClient = await connectAs('ben');
    const witness = await connectAs('stranger');
    await witness.subscribe(['projects', 'people']);
    const projectId = newId();
    const userId = newId();
    const taskId = newId();
    const { position } = await disconnectedClient.subscribe(['projects']);
    await changeProject(projectId, 2, 'name');
    await disconnectedClient.receives(({ id }) => id === projectId);
    disconnectedClient.socket.disconnect();
    await changeProject(projectId, 3, 'status');
    await changeProject(projectId, 4, 'name');
    await changeUser(userId, 'avatar');
    await changeTask(projectId, taskId);
    await flushProjects(witness);
    await witness.receives(({ id }) => id === userId);

    const reconnectedClient = await connectAs('ben');
    const replay = await reconnectedClient.subscribe(
      ['projects', `tasks-in:${projectId}`],
      disconnectedClient.frames.at(-1)?.position,
    );
    const missedChanges = replay.changes?.filter(({ id }) => [projectId, userId, taskId].includes(id));
    expect(missedChanges).toMatchObject([
      { id: projectId, version: 4, changed: expect.arrayContaining(['status', 'name']) },
      { id: taskId },
    ]);
    const userReplay = await reconnectedClient.subscribe(['projects', 'people'], position);
    expect(userReplay.changes?.some(({ id }) => id === userId)).toBe(true);
    expect((await reconnectedClient.subscribe(['projects', 'people'], userReplay.position)).changes).toEqual([]);
    expect((await reconnectedClient.subscribe(['projects'], 'invalid')).changes).toBeNull();
    expect((await reconnectedClient.subscribe(['projects'])).changes).toBeNull();
  });

  it('receives the changes of its tags within an age if it has no position', async () => {
    const projectId = newId();
    const witness = await connectAs('stranger');
    await witness.subscribe(['projects']);
    await changeProject(projectId, 2, 'name');
    await flushProjects(witness);
    const ben = await connectAs('ben');
    const { changes } = await ben.subscribe(['projects'], 60_000);
    expect(changes?.filter(({ id }) => id === projectId)).toMatchObject([{ version: 2, changed: ['name'] }]);
    expect((await ben.subscribe(['documents'], 60_000)).changes?.some(({ id }) => id === projectId)).toBe(false);
    expect((await ben.subscribe(['projects'], 24 * 60 * 60_000)).changes).toBeNull();
    await expect(ben.subscribe(['projects'], -1)).rejects.toThrow('validation_failed');
  });

  it('receives no changes of conversations of others', async () => {
    const ben = await connectAs('ben');
    const { position } = await ben.subscribe(['conversations']);
    const { _id } = await createDirect(service, people.member, people.admin);
    const ownConversation = await createDirect(service, people.member, people.ben);
    await ben.receives(({ id }) => id === ownConversation._id);
    const { changes } = await ben.subscribe(['conversations'], position);
    expect(changes?.some(({ id }) => id === _id)).toBe(false);
    expect(changes?.some(({ id }) => id === ownConversation._id)).toBe(true);
  });
});
