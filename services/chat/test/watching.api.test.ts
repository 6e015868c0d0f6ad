import { invitationRevoked } from '@atrium/proto-events/events/auth';
import { documentUpdated } from '@atrium/proto-events/events/documents';
import { projectUpdated, taskUpdated } from '@atrium/proto-events/events/projects';
import { userUpdated } from '@atrium/proto-events/events/users';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { aDirect, type People } from './factories.ts';
import { people, service } from './running-chat.ts';
import { aWatcher } from './sockets.ts';

type Watcher = Awaited<ReturnType<typeof aWatcher>>;
const watcher = (as: keyof People) => aWatcher(service, people[as]);

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
const changePerson = (userId: string, ...changed: string[]) =>
  service.deliver(userUpdated, { userId, role: 'member', status: 'active', version: 2, changed });

/** Whoever shows lists of projects has heard, or missed, all that was told of projects before this. */
async function afterwards(...watchers: Watcher[]): Promise<void> {
  const id = newId();
  await changeProject(id);
  await Promise.all(watchers.map(({ sees }) => sees((change) => change.id === id)));
}
const idsSeen = ({ seen }: Watcher) => seen().map(({ id }) => id);

describe('who says what they show', () => {
  it('is told of that, and of nothing else', async () => {
    const [mine, other, taskId, person] = [newId(), newId(), newId(), newId()];
    const [board, team, silent] = await Promise.all([watcher('ben'), watcher('member'), watcher('stranger')]);
    await board.watch(['projects', `project:${mine}`]);
    await team.watch(['projects', 'people']);
    await silent.watch([]);
    await changeTask(other);
    await changeTask(mine, taskId);
    await changePerson(person, 'timezone');
    await changePerson(person, 'bio');
    await afterwards(board, team);
    // Of people this is told beside it, to whoever is told in one go.
    await team.sees(({ id }) => id === person);
    await Promise.all([board.settle(), silent.settle()]);
    expect(idsSeen(board).filter((id) => id === taskId || id === person)).toEqual([taskId]);
    expect(board.seen()).toHaveLength(2);
    expect(board.seen()[0]).toEqual({
      resource: 'task',
      id: taskId,
      action: 'updated',
      version: 2,
      scope: { project: mine },
      changed: ['status'],
      status: 'todo',
    });
    expect(team.seen().filter(({ id }) => id === person)).toMatchObject([{ changed: ['bio'] }]);
    expect(silent.seen()).toEqual([]);
  });

  it('is told of documents that they may see, and nothing of what is for administrators', async () => {
    const [ben, stranger, admin] = await Promise.all([watcher('ben'), watcher('stranger'), watcher('admin')]);
    for (const one of [ben, stranger, admin]) await one.watch(['projects', 'documents']);
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
    for (const { sees } of [ben, stranger, admin]) await sees(({ id }) => id === shown);
    expect([ben, stranger, admin].map((one) => idsSeen(one).includes(documentId))).toEqual([true, false, true]);
    await expect(stranger.watch(['everything'])).rejects.toThrow('validation_failed');
    for (const one of [stranger, admin]) await one.watch(['projects', 'invitations']);
    const invitationId = newId();
    await service.deliver(invitationRevoked, { invitationId, userId: newId() });
    await admin.sees(({ id }) => id === invitationId);
    await stranger.settle();
    expect(idsSeen(stranger)).not.toContain(invitationId);
  });
});

describe('who comes back', () => {
  it('is told of what happened meanwhile of what they show, each once, and what they left a while ago', async () => {
    const [before, witness] = [await watcher('ben'), await watcher('stranger')];
    const [project, person, task] = [newId(), newId(), newId()];
    const { position } = await before.watch(['projects']);
    await changeProject(project, 2, 'name');
    await before.sees(({ id }) => id === project);
    before.socket.disconnect();
    await changeProject(project, 3, 'status');
    await changeProject(project, 4, 'name');
    await changePerson(person, 'avatar');
    await changeTask(project, task);
    await afterwards(witness);
    await witness.sees(({ id }) => id === person);

    const again = await watcher('ben');
    const missed = await again.watch(['projects', `project:${project}`], before.positions.at(-1));
    const own = missed.changes?.filter(({ id }) => [project, person, task].includes(id));
    expect(own).toMatchObject([
      { id: project, version: 4, changed: expect.arrayContaining(['status', 'name']) },
      { id: task, scope: { project } },
    ]);
    for (const { ageMs } of missed.changes ?? []) expect(ageMs).toBeLessThan(60_000);
    const all = await again.watch(['projects', 'people'], position);
    expect(all.changes?.some(({ id }) => id === person)).toBe(true);
    expect((await again.watch(['projects', 'people'], all.position)).changes).toEqual([]);
    expect((await again.watch(['projects'], 'of another NATS')).changes).toBeNull();
  });

  it('is told of the last while where they were nowhere before, and of nothing that they do not show', async () => {
    const [project, witness] = [newId(), await watcher('stranger')];
    await changeProject(project, 2, 'name');
    await afterwards(witness);
    const ben = await watcher('ben');
    const { changes } = await ben.watch(['projects'], 60_000);
    expect(changes?.filter(({ id }) => id === project)).toMatchObject([{ version: 2, changed: ['name'] }]);
    expect((await ben.watch(['documents'], 60_000)).changes?.some(({ id }) => id === project)).toBe(false);
    expect((await ben.watch(['projects'], 24 * 60 * 60_000)).changes).toBeNull();
    await expect(ben.watch(['projects'], -1)).rejects.toThrow('validation_failed');
  });

  it('hears nothing of a conversation that they are not in any more', async () => {
    const ben = await watcher('ben');
    const { position } = await ben.watch(['conversations', 'projects']);
    const { _id } = await aDirect(service, people.member, people.admin);
    const own = await aDirect(service, people.member, people.ben);
    await ben.sees(({ id }) => id === own._id);
    const { changes } = await ben.watch(['conversations'], position);
    expect(changes?.some(({ id }) => id === _id)).toBe(false);
    expect(changes?.some(({ id }) => id === own._id)).toBe(true);
  });
});
