import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import type { TestResponse, TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProject, startProjects, type TestUsers } from './factories.ts';

// Checks that the abilities and denial reasons in responses match what the endpoints do.

let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  ({ service, users } = await startProjects());
});
afterAll(() => service.close());

const CALLERS = ['admin', 'manager', 'otherManager', 'member', 'stranger'] as const;
const PROJECT_STATES = ['not-started', 'in-progress', 'on-hold', 'cancelled', 'completed'] as const;
const TASK_STATES = ['todo', 'in-progress', 'review', 'done'] as const;

type AbilitiesBody = { abilities: Record<string, boolean>; denialReasons?: Record<string, string | undefined> };

/** Expects a success if the ability is allowed, and a failure with the stated reason otherwise. */
function expectMatchesAbilities(name: string, body: AbilitiesBody, response: TestResponse): void {
  const denial = body.denialReasons?.[name];
  expect({ name, allowed: body.abilities[name] }).toEqual({ name, allowed: denial === undefined });
  const message = response.status < 300 ? undefined : (response.body as { message: string }).message;
  expect({ name, message }).toEqual({ name, message: denial });
  if (denial !== undefined) expect([403, 409]).toContain(response.status);
}

const as = (caller: keyof TestUsers) => ({ as: users[caller] });
const readAbilities = async (path: string, caller: keyof TestUsers) => {
  const { status, body } = await service.call('GET', path, as(caller));
  expect(status).toBe(200);
  return body as AbilitiesBody;
};

describe.each(CALLERS)('the abilities of %s on a project', (caller) => {
  /** Returns the request behind each ability. Progress can be updated in a status set by the same change. */
  const createAttempts = (id: string, state: string): Record<string, () => Promise<TestResponse>> => ({
    update: () => service.call('PATCH', `/projects/${id}`, { ...as(caller), body: { name: 'Renamed' } }),
    updateProgress: () =>
      service.call('PATCH', `/projects/${id}`, {
        ...as(caller),
        body: { progress: 100, ...(state !== 'completed' && { status: 'in-progress' }) },
      }),
    manageMembers: () => service.call('DELETE', `/projects/${id}/team-members/${users.member._id}`, as(caller)),
    addMembers: () =>
      service.call('POST', `/projects/${id}/team-members`, { ...as(caller), body: { userId: users.colleague._id } }),
    changeManager: () =>
      service.call('PATCH', `/projects/${id}`, { ...as(caller), body: { projectManager: users.otherManager._id } }),
    createTasks: () => service.call('POST', '/tasks', { ...as(caller), body: { title: 'New', project: id } }),
    reportHealth: () =>
      service.call('PUT', `/projects/${id}/health`, {
        ...as(caller),
        body: { status: 'on-track', note: 'All is well' },
      }),
    delete: () => service.call('DELETE', `/projects/${id}`, as(caller)),
  });

  it.each(PROJECT_STATES)('match what the endpoints allow while it is %s', async (state) => {
    for (const name of Object.keys(createAttempts('', state))) {
      const { _id } = await createProject(service, users);
      await service.call('PATCH', `/projects/${_id}`, { ...as('admin'), body: { status: state } });
      const abilitiesBefore = await readAbilities(`/projects/${_id}`, caller);
      expect((abilitiesBefore as unknown as Project).status).toBe(state);
      expect(Object.keys(abilitiesBefore.abilities).sort()).toEqual(Object.keys(createAttempts(_id, state)).sort());
      const response = await createAttempts(_id, state)[name]?.();
      if (response) expectMatchesAbilities(name, abilitiesBefore, response);
    }
  });
});

/** `colleague` created the task and is its assignee, but has left the project. */
describe.each([...CALLERS, 'colleague'] as const)('the abilities of %s on a task', (caller) => {
  const createAttempts = (id: string, state: string): Record<string, () => Promise<TestResponse>> => ({
    update: () => service.call('PATCH', `/tasks/${id}`, { ...as(caller), body: { title: 'Renamed' } }),
    updateStatus: () =>
      service.call('PATCH', `/tasks/${id}`, {
        ...as(caller),
        body: { status: state === 'todo' ? 'review' : 'todo', progress: 10 },
      }),
    comment: () => service.call('POST', `/tasks/${id}/comments`, { ...as(caller), body: { comment: 'Well' } }),
    delete: () => service.call('DELETE', `/tasks/${id}`, as(caller)),
  });

  async function createOrphanedTask(state: string): Promise<string> {
    const teamMembers = [users.member._id, users.colleague._id];
    const { _id: project } = await createProject(service, users, { teamMembers });
    const { body } = await service.call('POST', '/tasks', {
      ...as('colleague'),
      body: { title: 'Left behind', project, assignedTo: users.colleague._id, status: 'done' },
    });
    const { _id } = body as Task;
    await service.call('POST', `/tasks/${_id}/comments`, { ...as('member'), body: { comment: 'By Mia' } });
    await service.call('DELETE', `/projects/${project}/team-members/${users.colleague._id}`, as('admin'));
    await service.call('PATCH', `/tasks/${_id}`, { ...as('admin'), body: { status: state } });
    return _id;
  }

  it.each(TASK_STATES)('match what the endpoints allow while it is %s', async (state) => {
    for (const name of Object.keys(createAttempts('', state))) {
      const id = await createOrphanedTask(state);
      const abilitiesBefore = await readAbilities(`/tasks/${id}`, caller);
      expect((abilitiesBefore as unknown as Task).status).toBe(state);
      expect(Object.keys(abilitiesBefore.abilities).sort()).toEqual(Object.keys(createAttempts(id, state)).sort());
      const response = await createAttempts(id, state)[name]?.();
      if (response) expectMatchesAbilities(name, abilitiesBefore, response);
    }
  });

  it('match updating progress and deleting a comment', async () => {
    const id = await createOrphanedTask('review');
    const task = (await readAbilities(`/tasks/${id}`, caller)) as unknown as Task;
    const body = { progress: 55 };
    const progressResponse = await service.call('PATCH', `/tasks/${id}/progress`, { ...as(caller), body });
    expect(progressResponse.status).toBe(task.abilities.updateStatus ? 200 : 403);
    const [comment] = task.comments ?? [];
    const deleteResponse = await service.call('DELETE', `/tasks/${id}/comments/${comment?._id}`, as(caller));
    expect(deleteResponse.status).toBe(comment?.abilities.delete ? 204 : 403);
  });
});
