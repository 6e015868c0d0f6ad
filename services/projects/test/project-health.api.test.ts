import { projectUpdated } from '@atrium/proto-events/events/projects';
import type { Project } from '@atrium/proto-events/http/projects';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProject, startProjects, type TestUsers } from './factories.ts';

let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  ({ service, users } = await startProjects());
});
afterAll(() => service.close());

const AT_RISK = { status: 'at-risk', note: 'The supplier is late' };

const report = (id: string, as: keyof TestUsers, body: object = AT_RISK) =>
  service.call('PUT', `/projects/${id}/health`, { as: users[as], body });

describe('PUT /projects/:id/health', () => {
  it('is shown with its reason, time, and author in the project and in lists', async () => {
    const { _id, version } = await createProject(service, users);
    const { status, body } = await report(_id, 'manager');
    const health = {
      ...AT_RISK,
      updatedAt: expect.any(String),
      updatedBy: expect.objectContaining({ firstName: 'Paul' }),
    };
    expect([status, body]).toEqual([200, expect.objectContaining({ health, version: version + 1 })]);
    const { body: list } = await service.call('GET', `/projects?ids=${_id}`, { as: users.stranger });
    expect((list as { data: Project[] }).data[0]?.health).toEqual(health);
  });

  it('is null until it is reported, and replaced by the next report', async () => {
    const { _id } = await createProject(service, users);
    const { body } = await service.call('GET', `/projects/${_id}`, { as: users.member });
    expect(body).toMatchObject({ health: null });
    await report(_id, 'manager');
    const recovered = { status: 'on-track', note: 'It has arrived' };
    expect((await report(_id, 'admin', recovered)).body).toMatchObject({ health: recovered });
  });

  it('publishes the project, so that browsers show it live', async () => {
    const { _id } = await createProject(service, users);
    await report(_id, 'manager');
    const { data } = await service.waitForEvent(projectUpdated, ({ projectId }) => projectId === _id);
    expect([data.changed, data.project?.health?.status]).toEqual([['health'], 'at-risk']);
  });

  it.each(['otherManager', 'member', 'stranger'] as const)(
    'is denied to users who do not manage it: %s',
    async (user) => {
      const { _id } = await createProject(service, users);
      expect((await report(_id, user)).status).toBe(403);
      const { body } = await service.call('GET', `/projects/${_id}`, { as: users[user] });
      expect(body).toMatchObject({ health: null, abilities: { reportHealth: false } });
    },
  );

  it('is rejected for unknown projects and anonymous callers', async () => {
    const { _id } = await createProject(service, users);
    expect((await report(newId(), 'manager')).status).toBe(404);
    expect((await service.call('PUT', `/projects/${_id}/health`, { body: AT_RISK })).status).toBe(401);
  });

  it('is rejected for a completed project', async () => {
    const { _id } = await createProject(service, users, { status: 'in-progress' });
    await service.call('PATCH', `/projects/${_id}`, { as: users.admin, body: { status: 'completed' } });
    expect((await report(_id, 'manager')).status).toBe(409);
  });

  it.each([
    [{ status: 'at-risk' }, 'Please give a reason'],
    [{ status: 'at-risk', note: ' ' }, 'Please give a reason'],
    [{ status: 'doomed', note: 'Everything' }, 'Please select the health of the project'],
  ])('rejects %j', async (body, message) => {
    const { _id } = await createProject(service, users);
    const response = await report(_id, 'manager', body);
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(message);
  });
});
