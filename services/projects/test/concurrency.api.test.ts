import { projectUpdated, taskCommented, taskUpdated } from '@atrium/proto-events/events/projects';
import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import { buildUser } from '@atrium/test-kit/build-user';
import type { TestResponse, TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createProject, createTask, startProjects, type TestUsers } from './factories.ts';

let service: TestService;
let users: TestUsers;
let database: pg.Client;

beforeAll(async () => {
  ({ service, users } = await startProjects());
  database = new pg.Client({ connectionString: service.env.DATABASE_URL });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.close();
});

const patch = (id: string, body: unknown) => service.call('PATCH', `/projects/${id}`, { as: users.manager, body });
const get = async <T>(path: string) => (await service.call('GET', path, { as: users.admin })).body as T;
const collectStatuses = (responses: TestResponse[]) => new Set(responses.map(({ status }) => status));

describe('fifty concurrent writers', () => {
  it('only ever raise the progress of a project', async () => {
    const { _id } = await createProject(service, users, { status: 'in-progress' });
    const requestedValues = Array.from({ length: 50 }, (_, index) => ((index * 37) % 99) + 1);
    const responses = await Promise.all(requestedValues.map((progress) => patch(_id, { progress })));
    for (const { status, body } of responses.filter((response) => response.status !== 200)) {
      expect(status).toBe(409);
      expect((body as { message: string }).message).toMatch(/^Progress cannot decrease from \d+% to \d+%$/);
    }
    const updatedProjects = responses.filter(({ status }) => status === 200).map(({ body }) => body as Project);
    const progressInOrder = [...updatedProjects].sort((a, b) => a.version - b.version).map(({ progress }) => progress);
    expect(progressInOrder).toEqual([...progressInOrder].sort((a, b) => a - b));
    expect(await get<Project>(`/projects/${_id}`)).toMatchObject({
      progress: Math.max(...requestedValues),
      version: 1 + new Set(progressInOrder).size,
    });
    await service.waitForEvent(
      projectUpdated,
      (data) => data.projectId === _id && data.progress === Math.max(...requestedValues),
    );
    expect(service.countPublished(projectUpdated, (data) => data.projectId === _id)).toBe(
      new Set(progressInOrder).size,
    );
  });

  it('cannot reopen a project that one writer completes', async () => {
    const { _id } = await createProject(service, users, { status: 'in-progress' });
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        if (index === 25) return patch(_id, { status: 'completed' });
        return patch(_id, index % 2 === 0 ? { progress: index + 1 } : { status: 'on-hold' });
      }),
    );
    expect(responses[25]?.status).toBe(200);
    expect([...collectStatuses(responses)].sort()).toEqual([200, 409]);
    const project = await get<Project>(`/projects/${_id}`);
    expect(project).toMatchObject({ status: 'completed', progress: 100 });
    expect(responses[25]?.body).toMatchObject({ version: project.version });
  });

  it('comment on one task without losing a comment or a version', async () => {
    const { _id: project } = await createProject(service, users);
    const { _id } = await createTask(service, users, { project });
    const path = `/tasks/${_id}/comments`;
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        service.call('POST', path, { as: users.member, body: { comment: `Comment ${index}` } }),
      ),
    );
    expect([...collectStatuses(responses)]).toEqual([201]);
    const task = await get<Task>(`/tasks/${_id}`);
    expect(task).toMatchObject({ commentCount: 50, version: 51 });
    expect(task.comments).toHaveLength(50);
    await service.waitForEvent(taskCommented, (data) => data.taskId === _id && data.version === 51);
  });
});

describe('a team with concurrent changes', () => {
  it('contains every added and no removed user, with one event per change', async () => {
    const newcomers = Array.from({ length: 12 }, () => buildUser());
    const leaving = Array.from({ length: 12 }, () => buildUser());
    service.addToDirectory(...newcomers, ...leaving);
    const { _id } = await createProject(service, users, { teamMembers: leaving.map(({ _id: id }) => id) });
    const team = `/projects/${_id}/team-members`;
    const add = (userId: string) => service.call('POST', team, { as: users.admin, body: { userId } });
    const remove = (userId: string) => service.call('DELETE', `${team}/${userId}`, { as: users.manager });
    // Each user twice: the second request finds the change already made.
    const responses = await Promise.all(
      [...newcomers, ...newcomers].flatMap((user, index) => {
        const leaver = leaving[index % leaving.length]?._id ?? '';
        return [add(user._id), remove(leaver)];
      }),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(24);
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(12);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(12);
    const project = await get<Project>(`/projects/${_id}`);
    expect(project.version).toBe(25);
    expect(new Set(project.teamMembers.map(({ _id: id }) => id))).toEqual(new Set(newcomers.map(({ _id: id }) => id)));
    const lastEvent = await service.waitForEvent(
      projectUpdated,
      (data) => data.projectId === _id && data.version === 25,
    );
    expect(new Set(lastEvent.data.memberIds)).toEqual(new Set(newcomers.map(({ _id: id }) => id)));
    expect(service.countPublished(projectUpdated, (data) => data.projectId === _id)).toBe(24);
  });

  it('leaves no open task assigned to a user who was removed during the assignment', async () => {
    const { _id: project } = await createProject(service, users);
    const tasks = await Promise.all(Array.from({ length: 10 }, () => createTask(service, users, { project })));
    const assignRequests = tasks.map(({ _id }) =>
      service.call('PATCH', `/tasks/${_id}`, { as: users.admin, body: { assignedTo: users.member._id } }),
    );
    const createRequests = Array.from({ length: 10 }, () =>
      service.call('POST', '/tasks', {
        as: users.admin,
        body: { title: 'Late', project, assignedTo: users.member._id },
      }),
    );
    const removal = service.call('DELETE', `/projects/${project}/team-members/${users.member._id}`, {
      as: users.admin,
    });
    const responses = await Promise.all([...assignRequests, ...createRequests]);
    expect((await removal).status).toBe(204);
    expect([...collectStatuses(responses)].every((status) => [200, 201, 400].includes(status))).toBe(true);
    const remainingTasks = await get<{ total: number }>(`/tasks/project/${project}?assignedTo=${users.member._id}`);
    expect(remainingTasks.total).toBe(0);
  });
});

describe('a concurrent deletion', () => {
  it('of a project fails other changes with 404 and leaves nothing behind', async () => {
    const { _id: project } = await createProject(service, users);
    const tasks = await Promise.all(Array.from({ length: 8 }, () => createTask(service, users, { project })));
    const concurrentRequests = tasks.flatMap(({ _id }) => [
      service.call('POST', `/tasks/${_id}/comments`, { as: users.member, body: { comment: 'Now?' } }),
      service.call('PATCH', `/tasks/${_id}`, { as: users.member, body: { status: 'done' } }),
      service.call('POST', `/projects/${project}/team-members`, {
        as: users.admin,
        body: { userId: users.colleague._id },
      }),
    ]);
    const deletion = service.call('DELETE', `/projects/${project}`, { as: users.admin });
    const responses = await Promise.all(concurrentRequests);
    expect((await deletion).status).toBe(204);
    expect([...collectStatuses(responses)].every((status) => [200, 201, 404].includes(status))).toBe(true);
    const { rows } = await database.query(
      `select (select count(*) from tasks where project_id = $1)
            + (select count(*) from project_members where project_id = $1)
            + (select count(*) from task_comments where task_id = any($2)) as remaining`,
      [project, tasks.map(({ _id }) => _id)],
    );
    expect(Number(rows[0]?.remaining)).toBe(0);
  });

  it('of a task happens after a concurrent comment or fails it with 404', async () => {
    const { _id: project } = await createProject(service, users);
    for (let round = 0; round < 5; round += 1) {
      const { _id } = await createTask(service, users, { project });
      const comment = () =>
        service.call('POST', `/tasks/${_id}/comments`, { as: users.member, body: { comment: 'Wait' } });
      const [firstComment, deletion, secondComment] = await Promise.all([
        comment(),
        service.call('DELETE', `/tasks/${_id}`, { as: users.admin }),
        comment(),
      ]);
      expect(deletion.status).toBe(204);
      expect([201, 404]).toContain(firstComment.status);
      expect([201, 404]).toContain(secondComment.status);
      expect((await service.call('GET', `/tasks/${_id}`, { as: users.admin })).status).toBe(404);
    }
  });

  it('of a comment by two callers decrements the count once', async () => {
    const { _id: project } = await createProject(service, users);
    const { _id } = await createTask(service, users, { project });
    const { body } = await service.call('POST', `/tasks/${_id}/comments`, {
      as: users.member,
      body: { comment: 'x' },
    });
    const remove = () =>
      service.call('DELETE', `/tasks/${_id}/comments/${(body as { _id: string })._id}`, { as: users.admin });
    const responses = await Promise.all([remove(), remove(), remove()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    expect(await get<Task>(`/tasks/${_id}`)).toMatchObject({ commentCount: 0, version: 3, comments: [] });
    await service.waitForEvent(taskUpdated, (data) => data.taskId === _id && data.version === 3);
  });
});
