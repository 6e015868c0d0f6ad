import { taskCreated, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import { buildUser } from '@atrium/test-kit/build-user';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProject, createTask, startProjects, type TestUsers } from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
let service: TestService;
let users: TestUsers;
let project: string;

beforeAll(async () => {
  ({ service, users } = await startProjects());
  ({ _id: project } = await createProject(service, users));
});
afterAll(() => service.close());

const create = (as: keyof TestUsers, overrides: Record<string, unknown> = {}) =>
  service.call('POST', '/tasks', { as: users[as], body: { title: 'Validate VAT numbers', project, ...overrides } });
const createTaskId = async (overrides: Record<string, unknown> = {}) =>
  (await createTask(service, users, { project, ...overrides }))._id;
const patch = (as: keyof TestUsers, id: string, body: unknown) =>
  service.call('PATCH', `/tasks/${id}`, { as: users[as], body });
const patchProgress = (as: keyof TestUsers, id: string, body: unknown) =>
  service.call('PATCH', `/tasks/${id}/progress`, { as: users[as], body });
const remove = (as: keyof TestUsers, id: string) => service.call('DELETE', `/tasks/${id}`, { as: users[as] });
const get = (as: keyof TestUsers, id: string) => service.call('GET', `/tasks/${id}`, { as: users[as] });

describe('POST /tasks', () => {
  it('creates a task assigned to a project member and publishes it', async () => {
    const { status, body } = await create('member', { assignedTo: users.member._id, dueDate: '2027-02-01' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'todo',
      priority: 'medium',
      progress: 0,
      commentCount: 0,
      version: 1,
      assignedTo: { firstName: 'Mia' },
      dueDate: '2027-02-01T00:00:00.000Z',
      denialReasons: {},
    });
    const event = await service.waitForEvent(taskCreated, (data) => data.taskId === (body as { _id: string })._id);
    expect(event.data).toMatchObject({ projectId: project, assignedTo: users.member._id });
  });

  it('stores the message that it was created from, which a change does not end', async () => {
    const origin = { message: 'e'.repeat(24) };
    const { body } = await create('member', { origin });
    const { _id } = body as { _id: string };
    expect(body).toMatchObject({ origin });
    const event = await service.waitForEvent(taskCreated, (data) => data.taskId === _id);
    expect(event.data.task).toMatchObject({ origin });
    expect((await patch('member', _id, { title: 'Renamed', origin: null })).body).toMatchObject({ origin });
    expect((await get('stranger', _id)).body).toMatchObject({ origin });
    expect((await create('member')).body).toMatchObject({ origin: null });
    expect((await create('member', { origin: { message: 'none' } })).status).toBe(400);
  });

  it('accepts a start date that is not after the due date', async () => {
    const days = { startDate: '2027-02-01', dueDate: '2027-02-01' };
    const { status, body } = await create('member', days);
    expect(status).toBe(201);
    expect(body).toMatchObject({ startDate: '2027-02-01T00:00:00.000Z', dueDate: '2027-02-01T00:00:00.000Z' });
    expect((await create('member')).body).toMatchObject({ startDate: null });
    const rejectedResponse = await create('member', { ...days, startDate: '2027-02-02' });
    expect(rejectedResponse.status).toBe(400);
    expect(rejectedResponse.body).toMatchObject({
      errors: [{ path: 'body.startDate', message: 'Start date must not be after the due date' }],
    });
  });

  it('rejects a task without a title or project, or assigned to a non-member', async () => {
    const { status, body } = await service.call('POST', '/tasks', { as: users.admin, body: {} });
    expect(status).toBe(400);
    expect((body as { message: string[] }).message).toEqual(['Task title is required', 'Project is required']);
    const outsiderResponse = await create('admin', { assignedTo: users.stranger._id });
    expect(outsiderResponse.status).toBe(400);
    expect(outsiderResponse.body).toMatchObject({ message: ['Tasks can be assigned to project members only'] });
  });

  it('accepts project members, administrators, and project managers only', async () => {
    for (const as of ['admin', 'manager', 'otherManager', 'member'] as const) {
      expect((await create(as)).status).toBe(201);
    }
    const rejectedResponse = await create('stranger');
    expect(rejectedResponse.status).toBe(403);
    expect(rejectedResponse.body).toMatchObject({ message: 'Only project members can create its tasks' });
    expect((await service.call('POST', '/tasks', { body: {} })).status).toBe(401);
    expect((await create('admin', { project: UNKNOWN })).status).toBe(404);
  });

  it('returns the first response again for a retry with the same Idempotency-Key', async () => {
    const call = () =>
      service.call('POST', '/tasks', {
        as: users.admin,
        body: { title: 'Once', project },
        headers: { 'idempotency-key': 'task-1' },
      });
    const responses = await Promise.all([call(), call()]);
    const ids = responses.map(({ body }) => (body as Task)._id);
    expect(ids[0]).toBe(ids[1]);
  });
});

describe('GET /tasks/:id', () => {
  it('returns a task with its comments to every signed-in user', async () => {
    const id = await createTaskId();
    await service.call('POST', `/tasks/${id}/comments`, { as: users.member, body: { comment: 'On it' } });
    const { status, body } = await get('stranger', id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ _id: id, commentCount: 1, comments: [{ comment: 'On it' }] });
  });

  it('responds with 404 for an unknown or malformed id, and 401 to anonymous callers', async () => {
    expect((await get('admin', UNKNOWN)).status).toBe(404);
    expect((await get('admin', 'nonsense')).status).toBe(404);
    expect((await service.call('GET', `/tasks/${UNKNOWN}`)).status).toBe(401);
  });
});

describe('PATCH /tasks/:id', () => {
  it('changes the requested fields and publishes the actual differences', async () => {
    const id = await createTaskId({ title: 'Old' });
    const { status, body } = await patch('member', id, {
      title: 'New',
      status: 'in-progress',
      priority: 'medium',
      assignedTo: users.manager._id,
      dueDate: '2027-01-01',
      progress: 30,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'New', progress: 30, assignedTo: { firstName: 'Paul' }, version: 2 });
    const event = await service.waitForEvent(taskUpdated, (data) => data.taskId === id);
    expect(event.actorId).toBe(users.member._id);
    expect(event.data).toMatchObject({
      status: 'in-progress',
      progress: 30,
      previousAssignee: null,
      previous: { status: 'todo' },
      version: 2,
    });
    expect([...event.data.changed].sort()).toEqual(['assignedTo', 'dueDate', 'progress', 'status', 'title']);
  });

  it('changes start and due date, alone or together, and keeps them in order', async () => {
    const id = await createTaskId({ startDate: '2027-02-01', dueDate: '2027-02-10' });
    for (const invalidChange of [{ startDate: '2027-02-11' }, { dueDate: '2027-01-31' }]) {
      const { status, body } = await patch('member', id, invalidChange);
      expect(status).toBe(400);
      expect(body).toMatchObject({ message: ['Start date must not be after the due date'] });
    }
    const response = await patch('member', id, { startDate: '2027-03-01', dueDate: '2027-03-02' });
    expect(response.body).toMatchObject({ startDate: '2027-03-01T00:00:00.000Z', version: 2 });
    const event = await service.waitForEvent(taskUpdated, (data) => data.taskId === id);
    expect(event.data.changed).toEqual(['startDate', 'dueDate']);
    expect(event.data).not.toHaveProperty('previousAssignee');
    expect((await patch('member', id, { startDate: null })).body).toMatchObject({ startDate: null, version: 3 });
    expect((await patch('member', id, { dueDate: '2026-01-01' })).status).toBe(200);
    expect((await get('stranger', id)).body).toMatchObject({ startDate: null, dueDate: '2026-01-01T00:00:00.000Z' });
  });

  it('ignores unchanged values and publishes nothing', async () => {
    const id = await createTaskId({ title: 'Same' });
    expect((await patch('admin', id, { title: 'Same', priority: 'medium' })).body).toMatchObject({ version: 1 });
    expect(service.countPublished(taskUpdated, (data) => data.taskId === id)).toBe(0);
  });

  it('sets progress to 100 when a task becomes done, regardless of the requested progress', async () => {
    const id = await createTaskId();
    const { body } = await patch('admin', id, { status: 'done', progress: 20 });
    expect(body).toMatchObject({ status: 'done', progress: 100 });
    expect((await patch('admin', id, { status: 'in-progress', progress: 80 })).body).toMatchObject({ progress: 80 });
  });

  it('limits an assignee outside the project to status and progress', async () => {
    const { _id: otherProject } = await createProject(service, users, { teamMembers: [users.colleague._id] });
    const { _id } = await createTask(service, users, {
      project: otherProject,
      assignedTo: users.colleague._id,
      status: 'done',
    });
    await service.call('DELETE', `/projects/${otherProject}/team-members/${users.colleague._id}`, {
      as: users.admin,
    });
    expect((await get('colleague', _id)).body).toMatchObject({
      abilities: { update: false, updateStatus: true, comment: false, delete: false },
    });
    expect((await patch('colleague', _id, { progress: 90, version: 1 })).status).toBe(200);
    const rejectedResponse = await patch('colleague', _id, { status: 'todo', title: 'Mine now' });
    expect(rejectedResponse.status).toBe(403);
    expect(rejectedResponse.body).toMatchObject({
      message: 'You can change only the status and the progress of this task',
    });
    expect((await get('colleague', _id)).body).toMatchObject({ status: 'done', progress: 90 });
  });

  it.each(['todo', 'in-progress', 'review'])(
    'unassigns a done task of a former member when it is reopened to %s',
    async (status) => {
      const { _id: leftProject } = await createProject(service, users, { teamMembers: [users.colleague._id] });
      const doneTaskFields = { project: leftProject, assignedTo: users.colleague._id, status: 'done' };
      const statusTask = await createTask(service, users, doneTaskFields);
      const formTask = await createTask(service, users, doneTaskFields);
      await service.call('DELETE', `/projects/${leftProject}/team-members/${users.colleague._id}`, {
        as: users.admin,
      });
      expect((await patch('admin', statusTask._id, { title: 'Still assigned' })).body).toMatchObject({
        assignedTo: { firstName: 'Cora' },
      });
      expect((await patch('colleague', statusTask._id, { status })).body).toMatchObject({ status, assignedTo: null });
      // A form that sends all fields includes the former assignee.
      const fullForm = { status, title: 'All of it', assignedTo: users.colleague._id };
      expect((await patch('admin', formTask._id, fullForm)).body).toMatchObject({ status, assignedTo: null });
      const event = await service.waitForEvent(
        taskUpdated,
        (data) => data.taskId === statusTask._id && data.version === 3,
      );
      expect(event.data).toMatchObject({ assignedTo: null, status, changed: ['status', 'assignedTo', 'completedAt'] });
    },
  );

  it('keeps a current member as assignee when a task is reopened, or assigns the requested user', async () => {
    const id = await createTaskId({ status: 'done', assignedTo: users.member._id });
    const reopenResponse = await patch('admin', id, { status: 'todo' });
    expect(reopenResponse.body).toMatchObject({ status: 'todo', assignedTo: { firstName: 'Mia' } });
    const { _id: leftProject } = await createProject(service, users, { teamMembers: [users.colleague._id] });
    const doneTask = await createTask(service, users, {
      project: leftProject,
      assignedTo: users.colleague._id,
      status: 'done',
    });
    await service.call('DELETE', `/projects/${leftProject}/team-members/${users.colleague._id}`, { as: users.admin });
    const assignResponse = await patch('admin', doneTask._id, { status: 'todo', assignedTo: users.manager._id });
    expect(assignResponse.body).toMatchObject({ status: 'todo', assignedTo: { firstName: 'Paul' } });
  });

  it('keeps a deactivated or deleted assignee, but rejects assigning tasks to one', async () => {
    const deactivatedUser = buildUser({ firstName: 'Lea' });
    service.addToDirectory(deactivatedUser);
    const { _id: sharedProject } = await createProject(service, users, { teamMembers: [deactivatedUser._id] });
    const { _id } = await createTask(service, users, { project: sharedProject, assignedTo: deactivatedUser._id });
    const otherTask = await createTask(service, users, { project: sharedProject });
    const message = 'Team members must be active users';
    for (const [index, change] of [{ status: 'inactive' as const }, { deleted: true }].entries()) {
      service.addToDirectory({ ...deactivatedUser, ...change, version: 2 + index });
      const responses = [
        await create('admin', { project: sharedProject, assignedTo: deactivatedUser._id }),
        await patch('admin', otherTask._id, { assignedTo: deactivatedUser._id }),
      ];
      for (const { status, body } of responses) {
        expect(status).toBe(400);
        expect(body).toMatchObject({
          message: [message],
          errors: [{ path: 'body.assignedTo', message }],
        });
      }
      const response = await patch('admin', _id, { title: `Kept ${index}`, assignedTo: deactivatedUser._id });
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject({ assignedTo: { _id: deactivatedUser._id } });
    }
  });

  it('responds to a stale version with the current task', async () => {
    const id = await createTaskId();
    await patch('admin', id, { title: 'Second', version: 1 });
    const { status, body } = await patch('manager', id, { title: 'Third', version: 1 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'stale_version', current: { title: 'Second', version: 2 } });
  });

  it('rejects non-members with 403, invalid values with 400, unknown tasks with 404, and anonymous callers with 401', async () => {
    const id = await createTaskId();
    const rejectedResponse = await patch('stranger', id, { status: 'done' });
    expect(rejectedResponse.status).toBe(403);
    expect(rejectedResponse.body).toMatchObject({ message: 'Only project members can edit its tasks' });
    expect((await patch('admin', id, { title: '  ' })).body).toMatchObject({ message: ['Task title is required'] });
    expect((await patch('admin', id, { status: 'later' })).status).toBe(400);
    expect((await patch('admin', id, { progress: 101 })).status).toBe(400);
    const outsiderResponse = await patch('admin', id, { assignedTo: users.stranger._id });
    expect(outsiderResponse.status).toBe(400);
    expect(outsiderResponse.body).toMatchObject({ message: ['Tasks can be assigned to project members only'] });
    expect((await patch('admin', UNKNOWN, {})).status).toBe(404);
    expect((await patch('admin', 'nonsense', {})).status).toBe(404);
    expect((await service.call('PATCH', `/tasks/${id}`, { body: {} })).status).toBe(401);
  });
});

describe('PATCH /tasks/:id/progress', () => {
  it('raises and lowers progress', async () => {
    const id = await createTaskId({ assignedTo: users.member._id });
    expect((await patchProgress('member', id, { progress: 60 })).body).toMatchObject({ progress: 60, version: 2 });
    expect((await patchProgress('member', id, { progress: 40 })).body).toMatchObject({ progress: 40, version: 3 });
    const event = await service.waitForEvent(taskUpdated, (data) => data.taskId === id && data.version === 3);
    expect(event.data).toMatchObject({ progress: 40, changed: ['progress'] });
  });

  it('rejects non-members, invalid values, unknown tasks, and anonymous callers', async () => {
    const id = await createTaskId();
    expect((await patchProgress('stranger', id, { progress: 5 })).status).toBe(403);
    const invalidResponse = await patchProgress('admin', id, { progress: 12.5 });
    expect(invalidResponse.status).toBe(400);
    expect(invalidResponse.body).toMatchObject({ message: ['Progress must be a whole number from 0 to 100'] });
    expect((await patchProgress('admin', id, {})).status).toBe(400);
    expect((await patchProgress('admin', UNKNOWN, { progress: 5 })).status).toBe(404);
    expect((await service.call('PATCH', `/tasks/${id}/progress`, { body: { progress: 5 } })).status).toBe(401);
  });
});

describe('DELETE /tasks/:id', () => {
  it('deletes a task for its creator, the project manager, and administrators, and publishes an event', async () => {
    for (const as of ['admin', 'manager'] as const) {
      const id = await createTaskId();
      expect((await remove(as, id)).status).toBe(204);
      expect((await get('admin', id)).status).toBe(404);
      const event = await service.waitForEvent(taskDeleted, (data) => data.taskId === id);
      expect(event.data).toMatchObject({ projectId: project, version: 1 });
    }
    const ownTaskId = ((await create('member')).body as Task)._id;
    expect((await remove('member', ownTaskId)).status).toBe(204);
  });

  it('rejects everyone else with a message', async () => {
    const id = await createTaskId();
    for (const as of ['member', 'otherManager', 'stranger'] as const) {
      const { status, body } = await remove(as, id);
      expect(status).toBe(403);
      expect(body).toMatchObject({
        message: 'Only its creator, the project manager, and administrators can delete this task',
      });
    }
    expect((await remove('admin', UNKNOWN)).status).toBe(404);
    expect((await remove('admin', 'nonsense')).status).toBe(404);
    expect((await service.call('DELETE', `/tasks/${id}`)).status).toBe(401);
  });
});
