import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import type { TestResponse, TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProject, type People, startProjects } from './factories.ts';

/** The abilities and denial reasons in responses match what the endpoints do. */

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startProjects());
});
afterAll(() => service.close());

const CALLERS = ['admin', 'manager', 'otherManager', 'member', 'stranger'] as const;
const PROJECT_STATES = ['not-started', 'in-progress', 'on-hold', 'cancelled', 'completed'] as const;
const TASK_STATES = ['todo', 'in-progress', 'review', 'done'] as const;

type Announced = { abilities: Record<string, boolean>; denialReasons?: Record<string, string | undefined> };

/** Succeeds if allowed; otherwise fails with the announced reason. */
function expectMatchesAbilities(name: string, announced: Announced, response: TestResponse): void {
  const denial = announced.denialReasons?.[name];
  expect({ name, allowed: announced.abilities[name] }).toEqual({ name, allowed: denial === undefined });
  const message = response.status < 300 ? undefined : (response.body as { message: string }).message;
  expect({ name, message }).toEqual({ name, message: denial });
  if (denial !== undefined) expect([403, 409]).toContain(response.status);
}

const as = (caller: keyof People) => ({ as: people[caller] });
const readAbilities = async (path: string, caller: keyof People) => {
  const { status, body } = await service.call('GET', path, as(caller));
  expect(status).toBe(200);
  return body as Announced;
};

describe.each(CALLERS)('the abilities of %s on a project', (caller) => {
  /** The request behind each ability. Progress can be updated in a status set by the same change. */
  const attempts = (id: string, state: string): Record<string, () => Promise<TestResponse>> => ({
    update: () => service.call('PATCH', `/projects/${id}`, { ...as(caller), body: { name: 'Renamed' } }),
    updateProgress: () =>
      service.call('PATCH', `/projects/${id}`, {
        ...as(caller),
        body: { progress: 100, ...(state !== 'completed' && { status: 'in-progress' }) },
      }),
    manageMembers: () => service.call('DELETE', `/projects/${id}/team-members/${people.member._id}`, as(caller)),
    addMembers: () =>
      service.call('POST', `/projects/${id}/team-members`, { ...as(caller), body: { userId: people.colleague._id } }),
    changeManager: () =>
      service.call('PATCH', `/projects/${id}`, { ...as(caller), body: { projectManager: people.otherManager._id } }),
    createTasks: () => service.call('POST', '/tasks', { ...as(caller), body: { title: 'New', project: id } }),
    delete: () => service.call('DELETE', `/projects/${id}`, as(caller)),
  });

  it.each(PROJECT_STATES)('match what the endpoints allow while it is %s', async (state) => {
    for (const name of Object.keys(attempts('', state))) {
      const { _id } = await buildProject(service, people);
      await service.call('PATCH', `/projects/${_id}`, { ...as('admin'), body: { status: state } });
      const before = await readAbilities(`/projects/${_id}`, caller);
      expect((before as unknown as Project).status).toBe(state);
      expect(Object.keys(before.abilities).sort()).toEqual(Object.keys(attempts(_id, state)).sort());
      const response = await attempts(_id, state)[name]?.();
      if (response) expectMatchesAbilities(name, before, response);
    }
  });
});

/** `colleague` created the task and is its assignee, but has left the project. */
describe.each([...CALLERS, 'colleague'] as const)('the abilities of %s on a task', (caller) => {
  const attempts = (id: string, state: string): Record<string, () => Promise<TestResponse>> => ({
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
    const teamMembers = [people.member._id, people.colleague._id];
    const { _id: project } = await buildProject(service, people, { teamMembers });
    const { body } = await service.call('POST', '/tasks', {
      ...as('colleague'),
      body: { title: 'Left behind', project, assignedTo: people.colleague._id, status: 'done' },
    });
    const { _id } = body as Task;
    await service.call('POST', `/tasks/${_id}/comments`, { ...as('member'), body: { comment: 'By Mia' } });
    await service.call('DELETE', `/projects/${project}/team-members/${people.colleague._id}`, as('admin'));
    await service.call('PATCH', `/tasks/${_id}`, { ...as('admin'), body: { status: state } });
    return _id;
  }

  it.each(TASK_STATES)('match what the endpoints allow while it is %s', async (state) => {
    for (const name of Object.keys(attempts('', state))) {
      const id = await createOrphanedTask(state);
      const before = await readAbilities(`/tasks/${id}`, caller);
      expect((before as unknown as Task).status).toBe(state);
      expect(Object.keys(before.abilities).sort()).toEqual(Object.keys(attempts(id, state)).sort());
      const response = await attempts(id, state)[name]?.();
      if (response) expectMatchesAbilities(name, before, response);
    }
  });

  it('match updating progress and deleting a comment', async () => {
    const id = await createOrphanedTask('review');
    const task = (await readAbilities(`/tasks/${id}`, caller)) as unknown as Task;
    const body = { progress: 55 };
    const moved = await service.call('PATCH', `/tasks/${id}/progress`, { ...as(caller), body });
    expect(moved.status).toBe(task.abilities.updateStatus ? 200 : 403);
    const [comment] = task.comments ?? [];
    const removed = await service.call('DELETE', `/tasks/${id}/comments/${comment?._id}`, as(caller));
    expect(removed.status).toBe(comment?.abilities.delete ? 204 : 403);
  });
});
