import type { Membership } from '@atrium/proto-events/abilities/projects';
import { decisionMade } from '@atrium/proto-events/events/meeting-closing';
import {
  projectCreated,
  projectUpdated,
  taskCommented,
  taskCreated,
  taskUpdated,
} from '@atrium/proto-events/events/projects';
import { userDeactivated } from '@atrium/proto-events/events/users';
import type { Project } from '@atrium/proto-events/http/projects';
import type { Comment, Task } from '@atrium/proto-events/http/tasks';
import { insertUsers } from '@atrium/proto-events/insert-people';
import { presentItem } from '@atrium/proto-events/responses/present';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createProject, createTask, startProjects, type TestUsers } from './factories.ts';

// The item of an event, as browsers present it, equals the item that a list shows after the change.

const VIEWERS = ['admin', 'manager', 'otherManager', 'member', 'colleague', 'stranger'] as const;
let service: TestService;
let users: TestUsers;
let leaver: ReturnType<typeof buildUser>;
let team: string[];

beforeAll(async () => {
  ({ service, users } = await startProjects());
});
afterAll(() => service.close());

/** More members than an item lists, and one who leaves. */
beforeEach(() => {
  leaver = buildUser({ role: 'project_manager' });
  const others = Array.from({ length: 6 }, () => buildUser());
  service.addToDirectory(leaver, ...others);
  team = [users.member, leaver, ...others].map(({ _id }) => _id);
});

const call = async (method: string, path: string, body?: object) => {
  const response = await service.call(method, path, { as: users.admin, ...(body && { body }) });
  expect([path, response.status < 300]).toEqual([path, true]);
  return response.body;
};

async function deactivateLeaver(): Promise<void> {
  service.addToDirectory({ ...leaver, status: 'inactive', version: 2 });
  await service.deliver(userDeactivated, { userId: leaver._id, reason: 'deactivated', version: 2 });
}

type Listed = { _id: string; membership: Membership; version: number };

async function readListed<T extends Listed>(list: string, id: string, as: keyof TestUsers = 'admin'): Promise<T> {
  const { body } = await service.call('GET', `${list}?ids=${id}`, { as: users[as] });
  const [item] = (body as { data: T[] }).data;
  if (!item) throw new Error(`${list} does not contain ${id}`);
  return item;
}

type Expected = { resource: 'project' | 'task'; list: string; id: string };

async function expectSameAsListed(item: object | undefined, { resource, list, id }: Expected): Promise<void> {
  const summaries = [...service.running.directory.users()].map(({ _id }) => service.running.directory.summary(_id));
  const usersById = new Map(summaries.map((summary) => [summary._id, summary]));
  const itemWithUsers = insertUsers(item, usersById) as object;
  for (const as of VIEWERS) {
    const listed = await readListed(list, id, as);
    const viewer = { userId: users[as]._id, role: users[as].role };
    const context = { viewer, today: '2026-11-29', membershipIn: () => listed.membership };
    expect([as, presentItem(resource, itemWithUsers, context)]).toEqual([as, listed]);
  }
}

describe('the project in an event', () => {
  const createTeamProject = (overrides: object = {}) =>
    createProject(service, users, { teamMembers: team, ...overrides });
  const expectProject = async (id: string) => {
    const { version } = await readListed<Project>('/projects', id);
    const { data } = await service.waitForEvent(
      projectUpdated,
      (event) => event.projectId === id && event.version === version,
    );
    await expectSameAsListed(data.project, { resource: 'project', list: '/projects', id });
  };

  it('equals that of the list after its creation', async () => {
    const { _id: id } = await createTeamProject({ budget: 12.5, startDate: '2026-11-01', deadline: '2027-01-01' });
    const { data } = await service.waitForEvent(projectCreated, (event) => event.projectId === id);
    await expectSameAsListed(data.project, { resource: 'project', list: '/projects', id });
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a change of its fields', (path) => call('PATCH', path, { name: 'Größe', budget: null, deadline: '2027-02-01' })],
    ['its completion', (path) => call('PATCH', path, { status: 'completed' })],
    ['adding a member', (path) => call('POST', `${path}/team-members`, { userId: users.colleague._id })],
    ['removing a member', (path) => call('DELETE', `${path}/team-members/${leaver._id}`)],
    ['the deactivation of a member', deactivateLeaver],
  ])('equals that of the list after %s', async (_name, change) => {
    const { _id: id } = await createTeamProject();
    await change(`/projects/${id}`);
    await expectProject(id);
  });

  it('equals that of the list after its manager has left, and after a new one was assigned', async () => {
    const { _id: id } = await createTeamProject({ projectManager: leaver._id });
    await deactivateLeaver();
    await expectProject(id);
    await call('PATCH', `/projects/${id}`, { projectManager: users.otherManager._id });
    await expectProject(id);
  });
});

describe('the task in an event', () => {
  const createTeamTask = async (overrides: object = {}) => {
    const { _id: project } = await createProject(service, users, { teamMembers: team });
    return { project, ...(await createTask(service, users, { project, assignedTo: leaver._id, ...overrides })) };
  };
  const expectTask = async (id: string, event: typeof taskCreated | typeof taskUpdated | typeof taskCommented) => {
    const { version } = await readListed<Task>('/tasks', id);
    const { data } = await service.waitForEvent(event, (task) => task.taskId === id && task.version === version);
    await expectSameAsListed(data.task, { resource: 'task', list: '/tasks', id });
  };

  it('equals that of the list after its creation', async () => {
    const { _id: id } = await createTeamTask({ startDate: '2026-11-01', dueDate: '2027-01-01', description: 'Soon' });
    await expectTask(id, taskCreated);
  });

  it('equals that of the list after its creation from a decision', async () => {
    const { _id: project } = await createProject(service, users);
    const ids = { decisionId: newId(), meetingId: newId(), project, madeBy: users.manager._id };
    const assignedTo = users.member._id;
    await service.deliver(decisionMade, { ...ids, attempt: 1, text: 'Ship it', assignedTo, dueDate: null });
    const { data } = await service.waitForEvent(taskCreated, ({ projectId }) => projectId === project);
    await expectTask(data.taskId, taskCreated);
  });

  it.each<[string, (task: { _id: string; project: string }) => Promise<unknown>]>([
    ['a change of its fields', ({ _id }) => call('PATCH', `/tasks/${_id}`, { title: 'New', dueDate: '2027-02-01' })],
    ['a change of its progress', ({ _id }) => call('PATCH', `/tasks/${_id}/progress`, { progress: 40 })],
    ['a new assignment', ({ _id }) => call('PATCH', `/tasks/${_id}`, { assignedTo: users.member._id })],
    ['removing its assignee', ({ project }) => call('DELETE', `/projects/${project}/team-members/${leaver._id}`)],
    ['the deactivation of its assignee', deactivateLeaver],
  ])('equals that of the list after %s', async (_name, change) => {
    const task = await createTeamTask();
    await change(task);
    await expectTask(task._id, taskUpdated);
  });

  it('equals that of the list after a comment was added, and after it was deleted', async () => {
    const { _id: id } = await createTeamTask();
    const comment = (await call('POST', `/tasks/${id}/comments`, { comment: 'Hello' })) as Comment;
    await expectTask(id, taskCommented);
    await call('DELETE', `/tasks/${id}/comments/${comment._id}`);
    await expectTask(id, taskUpdated);
  });
});
