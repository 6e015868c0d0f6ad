import { projectDeleted, taskCreated, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createMember, createRegisteredPerson, getUser, type Person, startUsers } from './factories.ts';

let service: TestService;
let admin: Person;

beforeAll(async () => {
  service = await startUsers();
  admin = await createRegisteredPerson(service, { role: 'admin' });
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
const changed = { progress: 0, changed: ['status'] };
const completed = async (...people: Person[]) =>
  Promise.all(people.map(async ({ _id }) => (await getUser(service, admin, _id)).tasksCompleted));

it('credits a done task to its current assignee until it is reopened', async () => {
  const [one, two] = [await createMember(service), await createMember(service)];
  const task = buildTask(one._id);
  await service.deliver(taskCreated, task, 2);
  expect(await completed(one, two)).toEqual([0, 0]);
  await service.deliver(taskUpdated, { ...task, ...changed, status: 'done', version: 2 }, 2);
  expect(await completed(one, two)).toEqual([1, 0]);
  await service.deliver(taskUpdated, { ...task, ...changed, status: 'done', assignedTo: two._id, version: 3 }, 2);
  expect(await completed(one, two)).toEqual([0, 1]);
  await service.deliver(taskUpdated, { ...task, ...changed, status: 'review', assignedTo: two._id, version: 4 }, 2);
  expect(await completed(one, two)).toEqual([0, 0]);
});

it('counts tasks created as done, but no unassigned ones', async () => {
  const person = await createMember(service);
  await service.deliver(taskCreated, buildTask(person._id, 'done'), 2);
  await service.deliver(taskCreated, buildTask(null, 'done'));
  expect(await completed(person)).toEqual([1]);
  expect((await getUser(service, admin, person._id)).version).toBe(2);
});

it('ignores an older version of a task', async () => {
  const person = await createMember(service);
  const task = buildTask(person._id);
  await service.deliver(taskUpdated, { ...task, ...changed, status: 'done', version: 5 });
  await service.deliver(taskUpdated, { ...task, ...changed, status: 'review', version: 4 });
  await service.deliver(taskCreated, task);
  expect(await completed(person)).toEqual([1]);
});

it('stops counting a deleted task and ignores its late events', async () => {
  const person = await createMember(service);
  const task = buildTask(person._id, 'done');
  await service.deliver(taskCreated, task);
  await service.deliver(taskDeleted, task, 2);
  expect(await completed(person)).toEqual([0]);
  await service.deliver(taskUpdated, { ...task, ...changed, version: 9 });
  expect(await completed(person)).toEqual([0]);
  const unknown = buildTask(person._id, 'done');
  await service.deliver(taskDeleted, unknown);
  await service.deliver(taskCreated, unknown);
  expect(await completed(person)).toEqual([0]);
});

it('stops counting the tasks of a deleted project, including those reported later', async () => {
  const person = await createMember(service);
  const [task, other] = [buildTask(person._id, 'done'), buildTask(person._id, 'done')];
  await service.deliver(taskCreated, task);
  await service.deliver(taskCreated, other);
  await service.deliver(projectDeleted, { projectId: task.projectId, name: 'A project' }, 2);
  expect(await completed(person)).toEqual([1]);
  await service.deliver(taskCreated, { ...buildTask(person._id, 'done'), projectId: task.projectId });
  await service.deliver(taskUpdated, { ...task, ...changed, version: 9 });
  expect(await completed(person)).toEqual([1]);
});

it('counts correctly when many tasks are completed concurrently', async () => {
  const person = await createMember(service);
  await Promise.all(Array.from({ length: 40 }, () => service.deliver(taskCreated, buildTask(person._id, 'done'))));
  expect(await completed(person)).toEqual([40]);
});

it('stops counting every task of a project that is deleted while its tasks are recorded', async () => {
  const person = await createMember(service);
  const { projectId } = buildTask(null);
  const known = () => service.deliver(taskCreated, { ...buildTask(person._id, 'done'), projectId });
  await Promise.all([
    ...Array.from({ length: 10 }, known),
    service.deliver(projectDeleted, { projectId, name: 'A project' }),
    ...Array.from({ length: 10 }, known),
  ]);
  expect(await completed(person)).toEqual([0]);
});
