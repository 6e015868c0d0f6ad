import { taskCreated } from '@atrium/proto-events/events/projects';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, type People, startProjects } from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
let service: TestService;
let people: People;
let project: string;

beforeAll(async () => {
  ({ service, people } = await startProjects());
  ({ _id: project } = await aProject(service, people));
});
afterAll(() => service.close());

const create = (as: keyof People, given: Record<string, unknown> = {}) =>
  service.call('POST', '/tasks', { as: people[as], body: { title: 'Validate VAT numbers', project, ...given } });

describe('POST /tasks', () => {
  it('creates a task for one of the project’s people and publishes it', async () => {
    const { status, body } = await create('member', { assignedTo: people.member._id, dueDate: '2027-02-01' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'todo', priority: 'medium', progress: 0, assignedTo: { firstName: 'Mia' } });
    const event = await service.published(taskCreated, (data) => data.taskId === (body as { _id: string })._id);
    expect(event.data).toMatchObject({ projectId: project, assignedTo: people.member._id });
  });

  it('refuses a task without title or project, or for somebody outside', async () => {
    const { status, body } = await service.call('POST', '/tasks', { as: people.admin, body: {} });
    expect(status).toBe(400);
    expect((body as { message: string[] }).message).toEqual(['Task title is required', 'Project is required']);
    expect((await create('admin', { assignedTo: people.stranger._id })).status).toBe(400);
  });

  it('is for the project’s people, administrators and project managers', async () => {
    expect((await create('admin')).status).toBe(201);
    expect((await create('stranger')).status).toBe(403);
    expect((await service.call('POST', '/tasks', { body: {} })).status).toBe(401);
    expect((await create('admin', { project: UNKNOWN })).status).toBe(404);
  });
});

describe('GET /tasks/project/:id', () => {
  it('lists the tasks of a project to every signed-in user, newest first', async () => {
    await create('admin', { title: 'The newest' });
    const { status, body } = await service.call('GET', `/tasks/project/${project}`, { as: people.stranger });
    expect(status).toBe(200);
    expect((body as { data: { title: string }[] }).data[0]).toMatchObject({ title: 'The newest' });
  });

  it('answers 404 for an unknown or malformed project, 401 for the anonymous', async () => {
    expect((await service.call('GET', `/tasks/project/${UNKNOWN}`, { as: people.member })).status).toBe(404);
    expect((await service.call('GET', '/tasks/project/nonsense', { as: people.member })).status).toBe(404);
    expect((await service.call('GET', `/tasks/project/${project}`)).status).toBe(401);
  });
});
