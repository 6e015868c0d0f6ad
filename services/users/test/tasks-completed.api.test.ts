import { projectDeleted, taskCreated, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createMember, createRegisteredUser, getUser, startUsers, type TestUser } from './factories.ts';

let service: TestService;
let admin: TestUser;

beforeAll(async () => {
  service = await startUsers();
  admin = await createRegisteredUser(service, { role: 'admin' });
});
afterAll(() => service.close());

const buildTask = (assignedTo: string | null, status = 'todo') => ({
  taskId: newId(),
  projectId: newId(),
  title: 'A task',
  status,
  assignedTo,
  version: 1,
});
const changeFields = { progress: 0, changed: ['status'] };
const countCompleted = async (...users: TestUser[]) =>
  Promise.all(users.map(async ({ _id }) => (await getUser(service, admin, _id)).tasksCompleted));

it('tasksCompleted credits a done task to its current assignee until the task is reopened', async () => {
  const firstAssignee = await createMember(service);
  const secondAssignee = await createMember(service);
  const task = buildTask(firstAssignee._id);
  await service.deliver(taskCreated, task, 2);
  expect(await countCompleted(firstAssignee, secondAssignee)).toEqual([0, 0]);
  await service.deliver(taskUpdated, { ...task, ...changeFields, status: 'done', version: 2 }, 2);
  expect(await countCompleted(firstAssignee, secondAssignee)).toEqual([1, 0]);
  await service.deliver(
    taskUpdated,
    { ...task, ...changeFields, status: 'done', assignedTo: secondAssignee._id, version: 3 },
    2,
  );
  expect(await countCompleted(firstAssignee, secondAssignee)).toEqual([0, 1]);
  await service.deliver(
    taskUpdated,
    { ...task, ...changeFields, status: 'review', assignedTo: secondAssignee._id, version: 4 },
    2,
  );
  expect(await countCompleted(firstAssignee, secondAssignee)).toEqual([0, 0]);
});

it('tasksCompleted counts tasks created as done, but no unassigned tasks', async () => {
  const user = await createMember(service);
  await service.deliver(taskCreated, buildTask(user._id, 'done'), 2);
  await service.deliver(taskCreated, buildTask(null, 'done'));
  expect(await countCompleted(user)).toEqual([1]);
  expect((await getUser(service, admin, user._id)).version).toBe(2);
});

it('tasksCompleted ignores an older version of a task', async () => {
  const user = await createMember(service);
  const task = buildTask(user._id);
  await service.deliver(taskUpdated, { ...task, ...changeFields, status: 'done', version: 5 });
  await service.deliver(taskUpdated, { ...task, ...changeFields, status: 'review', version: 4 });
  await service.deliver(taskCreated, task);
  expect(await countCompleted(user)).toEqual([1]);
});

it('tasksCompleted excludes a deleted task and ignores its late events', async () => {
  const user = await createMember(service);
  const task = buildTask(user._id, 'done');
  await service.deliver(taskCreated, task);
  await service.deliver(taskDeleted, task, 2);
  expect(await countCompleted(user)).toEqual([0]);
  await service.deliver(taskUpdated, { ...task, ...changeFields, version: 9 });
  expect(await countCompleted(user)).toEqual([0]);
  const unknownTask = buildTask(user._id, 'done');
  await service.deliver(taskDeleted, unknownTask);
  await service.deliver(taskCreated, unknownTask);
  expect(await countCompleted(user)).toEqual([0]);
});

it('tasksCompleted excludes the tasks of a deleted project, including tasks reported later', async () => {
  const user = await createMember(service);
  const task = buildTask(user._id, 'done');
  const otherTask = buildTask(user._id, 'done');
  await service.deliver(taskCreated, task);
  await service.deliver(taskCreated, otherTask);
  await service.deliver(projectDeleted, { projectId: task.projectId, name: 'A project' }, 2);
  expect(await countCompleted(user)).toEqual([1]);
  await service.deliver(taskCreated, { ...buildTask(user._id, 'done'), projectId: task.projectId });
  await service.deliver(taskUpdated, { ...task, ...changeFields, version: 9 });
  expect(await countCompleted(user)).toEqual([1]);
});

it('tasksCompleted is correct when many tasks are completed concurrently', async () => {
  const user = await createMember(service);
  await Promise.all(Array.from({ length: 40 }, () => service.deliver(taskCreated, buildTask(user._id, 'done'))));
  expect(await countCompleted(user)).toEqual([40]);
});

it('tasksCompleted excludes every task of a project that is deleted while its tasks are recorded', async () => {
  const user = await createMember(service);
  const { projectId } = buildTask(null);
  const deliverTask = () => service.deliver(taskCreated, { ...buildTask(user._id, 'done'), projectId });
  await Promise.all([
    ...Array.from({ length: 10 }, deliverTask),
    service.deliver(projectDeleted, { projectId, name: 'A project' }),
    ...Array.from({ length: 10 }, deliverTask),
  ]);
  expect(await countCompleted(user)).toEqual([0]);
});
