import { taskDue } from '@atrium/proto-events/events/projects';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { buildUser } from '@atrium/test-kit/build-user';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publishDueTasks } from '../src/tasks/remind-of-due-tasks.ts';
import { createProject, createTask, startProjects, type TestUsers } from './factories.ts';

let service: TestService;
let users: TestUsers;
let db: Db;

beforeAll(async () => {
  ({ service, users } = await startProjects());
  db = createDb(service.env.DATABASE_URL ?? '', 4, createLogger('test', 'silent'));
});
afterAll(async () => {
  await db.pool.end();
  await service.close();
});

/** On a Friday, half an hour after the start of a day. */
const FRIDAY = new Date('2030-03-22T08:30:00.000Z');
const MONDAY = new Date('2030-03-25T08:30:00.000Z');

/** The running service, which does not remind users without working days, knows the assignee as one of them. */
async function createAssignee() {
  const assignee = buildUser({ timezone: 'UTC' });
  service.addToDirectory({ ...assignee, preferences: { workingHours: Array.from({ length: 7 }, () => null) } });
  const { _id: project } = await createProject(service, users, { teamMembers: [assignee._id] });
  const create = async (fields: Record<string, unknown>) =>
    (await createTask(service, users, { project, assignedTo: assignee._id, ...fields }))._id;
  const change = (id: string, body: object) => service.call('PATCH', `/tasks/${id}`, { as: users.admin, body });
  const publish = (now: Date) => publishDueTasks({ db, directory: { users: () => [assignee].values() } }, now);
  const listReminded = async () =>
    (await service.query('select id from tasks where assigned_to = $1 and reminded_due = due_date', [assignee._id]))
      .map(({ id }) => id)
      .sort();
  return { assignee, project, create, change, publish, listReminded };
}

describe('reminders of tasks', () => {
  it('are published for open tasks that are due by the next working day, once', async () => {
    const { assignee, create, publish, listReminded } = await createAssignee();
    const due = await Promise.all(
      ['2030-03-22', '2030-03-23', '2030-03-25'].map((dueDate) => create({ title: dueDate, dueDate })),
    );
    await Promise.all([
      ...['2030-03-21', '2030-03-26', null].map((dueDate) => create({ title: `Not due: ${dueDate}`, dueDate })),
      create({ title: 'Done', dueDate: '2030-03-22', status: 'done' }),
      create({ title: 'Unassigned', dueDate: '2030-03-22', assignedTo: null }),
    ]);
    await Promise.all([publish(FRIDAY), publish(FRIDAY)]);
    await publish(FRIDAY);
    expect(await listReminded()).toEqual([...due].sort());
    const event = await service.waitForEvent(taskDue, ({ taskId }) => taskId === due[2]);
    expect(event.data).toMatchObject({
      title: '2030-03-25',
      assignedTo: assignee._id,
      dueDate: '2030-03-25T00:00:00.000Z',
    });
    expect(event.actorId).toBeNull();
    for (const id of due) {
      await service.waitForEvent(taskDue, ({ taskId }) => taskId === id);
      expect(service.countPublished(taskDue, ({ taskId }) => taskId === id)).toBe(1);
    }
  });

  it('are published again for another due date', async () => {
    const { create, change, publish, listReminded } = await createAssignee();
    const id = await create({ dueDate: '2030-03-22' });
    await publish(FRIDAY);
    await change(id, { dueDate: '2030-03-26' });
    expect(await listReminded()).toEqual([]);
    await publish(MONDAY);
    expect(await listReminded()).toEqual([id]);
    await service.waitForEvent(taskDue, ({ dueDate }) => dueDate === '2030-03-26T00:00:00.000Z');
    expect(service.countPublished(taskDue, ({ taskId }) => taskId === id)).toBe(2);
  });

  it.each<[string, (assignee: string) => object[]]>([
    ['an assignee who got the task back', (assignee) => [{ assignedTo: null }, { assignedTo: assignee }]],
    ['a task that was reopened', () => [{ status: 'done' }, { status: 'todo' }]],
    ['a due date that was moved back', () => [{ dueDate: '2030-04-22' }, { dueDate: '2030-03-22' }]],
  ])('are published again for %s', async (_, toChanges) => {
    const { assignee, create, change, publish, listReminded } = await createAssignee();
    const id = await create({ dueDate: '2030-03-22' });
    await publish(FRIDAY);
    for (const body of toChanges(assignee._id)) expect((await change(id, body)).status).toBe(200);
    expect(await listReminded()).toEqual([]);
    await publish(FRIDAY);
    expect(await listReminded()).toEqual([id]);
  });

  it('are published once if other fields change', async () => {
    const { create, change, publish, listReminded } = await createAssignee();
    const id = await create({ dueDate: '2030-03-22' });
    await publish(FRIDAY);
    for (const body of [{ status: 'in-progress' }, { title: 'Renamed' }, { dueDate: '2030-03-22' }])
      expect((await change(id, body)).status).toBe(200);
    expect(await listReminded()).toEqual([id]);
  });

  it('are published again for an assignee who left the project and rejoined', async () => {
    const { assignee, project, create, change, publish, listReminded } = await createAssignee();
    const id = await create({ dueDate: '2030-03-22' });
    await publish(FRIDAY);
    const path = `/projects/${project}/team-members`;
    await service.call('DELETE', `${path}/${assignee._id}`, { as: users.admin });
    await service.call('POST', path, { as: users.admin, body: { userId: assignee._id } });
    expect((await change(id, { assignedTo: assignee._id })).status).toBe(200);
    expect(await listReminded()).toEqual([]);
  });

  it('are not published at other times of the day, or for inactive users', async () => {
    const { assignee, create, publish, listReminded } = await createAssignee();
    await create({ dueDate: '2030-03-22' });
    await publish(new Date('2030-03-22T07:59:00.000Z'));
    await publishDueTasks(
      { db, directory: { users: () => [{ ...assignee, status: 'inactive' as const }].values() } },
      FRIDAY,
    );
    expect(await listReminded()).toEqual([]);
  });
});
