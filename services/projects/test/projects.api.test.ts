import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import type { Project } from '@atrium/proto-events/http/projects';
import { buildUser } from '@atrium/test-kit/build-user';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProjectBody, createProject, createTask, startProjects, type TestUsers } from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  ({ service, users } = await startProjects());
});
afterAll(() => service.close());

const create = (as: keyof TestUsers, overrides: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  service.call('POST', '/projects', { as: users[as], body: buildProjectBody(users, overrides), headers });
const patch = (as: keyof TestUsers, id: string, body: unknown) =>
  service.call('PATCH', `/projects/${id}`, { as: users[as], body });

describe('POST /projects', () => {
  it('creates a project with its team and publishes it', async () => {
    const { status, body } = await create('admin', { deadline: '2027-03-01', budget: '1200.50' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'Customer portal',
      progress: 0,
      budget: 1200.5,
      deadline: '2027-03-01T00:00:00.000Z',
      projectManager: { _id: users.manager._id, firstName: 'Paul' },
      teamMembers: [{ _id: users.member._id, firstName: 'Mia' }],
      abilities: { update: true, updateProgress: true, delete: true },
    });
    const id = (body as { _id: string })._id;
    const event = await service.waitForEvent(projectCreated, (data) => data.projectId === id);
    expect(event.actorId).toBe(users.admin._id);
    expect(event.data).toMatchObject({ managerId: users.manager._id, memberIds: [users.member._id], version: 1 });
  });

  it('reports every missing field with the specified messages', async () => {
    const { status, body } = await service.call('POST', '/projects', { as: users.admin, body: {} });
    expect(status).toBe(400);
    expect((body as { message: string[] }).message).toEqual([
      'Project title is required',
      'Project description is required',
      'Please select a project manager',
      'Please select a priority level',
      'Please select an initial status',
    ]);
  });

  it.each([
    [{ priority: 'huge' }, 'Invalid priority value'],
    [{ budget: 'a lot' }, 'Budget must be a valid number'],
    [{ budget: -1 }, 'Budget must be a valid number'],
    [{ budget: 1e12 }, 'Budget must be a valid number'],
    [{ status: 'completed' }, 'Please select an initial status'],
    [{ projectManager: 'nobody' }, 'Invalid project manager selection'],
    [{ projectManager: UNKNOWN }, 'Invalid project manager selection'],
    [{ teamMembers: [UNKNOWN] }, 'Team members must be active users'],
  ])('rejects %j', async (invalidFields, message) => {
    const { status, body } = await create('admin', invalidFields);
    expect(status).toBe(400);
    expect((body as { message: string[] }).message).toEqual([message]);
  });

  it.each(['0000-01-01', '0001-01-01T00:00:00+10:00', '9999-12-31T23:59:59-10:00'])(
    'rejects the out-of-range date %s on create and update, and accepts the limits',
    async (date) => {
      const { _id } = await createProject(service, users, {
        startDate: '0001-01-01',
        deadline: '9999-12-31T23:59:59Z',
      });
      const responses = [
        await create('admin', { deadline: date }),
        await create('admin', { startDate: date }),
        await patch('admin', _id, { endDate: date }),
        await service.call('POST', '/tasks', {
          as: users.admin,
          body: { title: 'Never', project: _id, dueDate: date },
        }),
      ];
      for (const { status, body } of responses) {
        expect(status).toBe(400);
        expect(body).toMatchObject({ message: ['Invalid date'] });
      }
      const { body } = await service.call('GET', `/projects/${_id}`, { as: users.admin });
      expect(body).toMatchObject({ startDate: '0001-01-01T00:00:00.000Z', deadline: '9999-12-31T23:59:59.000Z' });
    },
  );

  it('rejects a manager who is a member, and inactive team members', async () => {
    expect((await create('admin', { projectManager: users.member._id })).status).toBe(400);
    expect((await create('admin', { teamMembers: [users.inactive._id] })).status).toBe(400);
  });

  it('rejects anonymous callers with 401 and callers who are not administrators with 403', async () => {
    expect((await service.call('POST', '/projects', { body: {} })).status).toBe(401);
    expect((await create('manager')).status).toBe(403);
    expect((await create('member')).status).toBe(403);
  });

  it('ignores unknown fields and fields the caller cannot set', async () => {
    const { body } = await create('admin', { progress: 90, createdBy: UNKNOWN, evil: true });
    expect(body).toMatchObject({ progress: 0, createdBy: users.admin._id });
    expect(body).not.toHaveProperty('evil');
  });

  it('returns the first response again for a retry with the same Idempotency-Key, even if it is concurrent', async () => {
    const headers = { 'idempotency-key': 'lost-response-1' };
    const responses = await Promise.all([create('admin', {}, headers), create('admin', {}, headers)]);
    const [firstId, secondId] = responses.map(({ body }) => (body as { _id: string })._id);
    expect(secondId).toBe(firstId);
    service.addToDirectory({ ...users.member, status: 'inactive', version: 2 });
    const retry = await create('admin', {}, headers);
    expect((retry.body as { _id: string })._id).toBe(firstId);
    service.addToDirectory({ ...users.member, version: 3 });
    const conflictResponse = await create('admin', { name: 'Another' }, headers);
    expect(conflictResponse.status).toBe(409);
  });
});

describe('GET /projects', () => {
  it('lists all projects to every signed-in user, most recently changed first', async () => {
    const olderProject = await createProject(service, users, { name: 'Older' });
    const newerProject = await createProject(service, users, { name: 'Newer' });
    const { status, body } = await service.call('GET', '/projects?limit=100', { as: users.stranger });
    expect(status).toBe(200);
    const ids = (body as { data: { _id: string }[] }).data.map(({ _id }) => _id);
    expect(ids.indexOf(newerProject._id)).toBeLessThan(ids.indexOf(olderProject._id));
  });

  it('searches name and description literally and filters by status and priority', async () => {
    await createProject(service, users, { name: '100%_done', priority: 'low', status: 'on-hold' });
    const countFound = async (query: string) =>
      ((await service.call('GET', `/projects?${query}`, { as: users.member })).body as { total: number }).total;
    expect(await countFound('search=100%25_d')).toBe(1);
    expect(await countFound('search=100x_d')).toBe(0);
    expect(await countFound('search=100%25_d&status=on-hold&priority=low')).toBe(1);
    expect(await countFound('search=100%25_d&status=in-progress')).toBe(0);
  });

  it('returns only the requested ids that match the filters, and none if no id is valid', async () => {
    const pausedProject = await createProject(service, users, { status: 'on-hold' });
    const otherProject = await createProject(service, users);
    const listIds = async (path: string) => {
      const { body } = await service.call('GET', path, { as: users.member });
      const { data, total } = body as { data: { _id: string }[]; total: number };
      return { ids: data.map(({ _id }) => _id), total };
    };
    const path = `/projects?ids=${pausedProject._id},${UNKNOWN},nonsense,${otherProject._id},${pausedProject._id}`;
    expect(await listIds(path)).toEqual({ ids: [otherProject._id, pausedProject._id], total: 2 });
    expect(await listIds(`${path}&status=on-hold`)).toEqual({ ids: [pausedProject._id], total: 1 });
    expect(await listIds('/projects?ids=')).toEqual({ ids: [], total: 0 });
    expect((await listIds(path.replace('?', '/my-projects?'))).total).toBe(2);
  });

  it('includes six team members by default or as many as requested, and the total count', async () => {
    const lastMember = buildUser({ role: 'member' });
    const members = [...Array.from({ length: 8 }, () => buildUser()), lastMember];
    service.addToDirectory(...members);
    const { _id } = await createProject(service, users, { teamMembers: members.map((member) => member._id) });
    const fullResponse = await service.call('GET', `/projects/${_id}?people=6`, { as: lastMember });
    const { teamMembers } = fullResponse.body as Project;
    expect(teamMembers).toHaveLength(9);
    for (const path of ['/projects', '/projects/my-projects']) {
      const readListed = async (query: string) => {
        const { body } = await service.call('GET', `${path}?ids=${_id}${query}`, { as: lastMember });
        return (body as { data: Project[] }).data[0];
      };
      const projectWithSix = await readListed('&people=6');
      expect(projectWithSix).toMatchObject({ memberCount: 9, abilities: { createTasks: true } });
      expect(projectWithSix?.teamMembers).toEqual(teamMembers.slice(0, 6));
      expect((await readListed(''))?.teamMembers).toEqual(projectWithSix?.teamMembers);
      expect((await readListed('&people=all'))?.teamMembers).toHaveLength(9);
    }
  });

  it('paginates, clamps a large limit, and rejects anonymous callers', async () => {
    const { body } = await service.call('GET', '/projects?limit=5000&page=1', { as: users.member });
    const page = body as { data: unknown[]; total: number; totalPages: number };
    expect(page.totalPages).toBe(Math.ceil(page.total / 100));
    expect((await service.call('GET', '/projects')).status).toBe(401);
  });
});

describe('GET /projects/:id', () => {
  it('returns a project with the abilities of the caller', async () => {
    const { _id } = await createProject(service, users, { status: 'in-progress' });
    const asManager = await service.call('GET', `/projects/${_id}`, { as: users.manager });
    const asMember = await service.call('GET', `/projects/${_id}`, { as: users.member });
    expect(asManager.body).toMatchObject({ abilities: { update: true, updateProgress: true, delete: true } });
    expect(asMember.body).toMatchObject({ abilities: { update: false, updateProgress: false, delete: false } });
  });

  it('responds with 404 for an unknown or malformed id, and 401 to anonymous callers', async () => {
    expect((await service.call('GET', `/projects/${UNKNOWN}`, { as: users.admin })).status).toBe(404);
    expect((await service.call('GET', '/projects/nonsense', { as: users.admin })).status).toBe(404);
    expect((await service.call('GET', `/projects/${UNKNOWN}`)).status).toBe(401);
  });
});

describe('PATCH /projects/:id', () => {
  it('changes the requested fields and publishes them', async () => {
    const { _id } = await createProject(service, users, { status: 'in-progress' });
    const { status, body } = await patch('manager', _id, { progress: 40, endDate: '2027-01-01' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ progress: 40, deadline: '2027-01-01T00:00:00.000Z', version: 2 });
    const event = await service.waitForEvent(projectUpdated, (data) => data.projectId === _id);
    expect(event.data).toMatchObject({
      progress: 40,
      version: 2,
      changed: expect.arrayContaining(['progress', 'deadline']),
    });
  });

  it('rejects lower progress with the specified message', async () => {
    const { _id } = await createProject(service, users, { status: 'in-progress' });
    await patch('manager', _id, { progress: 40 });
    const { status, body } = await patch('manager', _id, { progress: 20 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ message: 'Progress cannot decrease from 40% to 20%', code: 'conflict' });
  });

  it('completes at 100 percent and rejects later changes', async () => {
    const { _id } = await createProject(service, users, { status: 'in-progress' });
    expect((await patch('manager', _id, { status: 'completed' })).body).toMatchObject({
      progress: 100,
      status: 'completed',
    });
    const { status, body } = await patch('admin', _id, { name: 'Other' });
    expect(status).toBe(409);
    expect(body).toMatchObject({ message: 'Cannot revert status from "Completed". Completed projects are final.' });
  });

  it('rejects a change of the manager', async () => {
    const { _id } = await createProject(service, users);
    const { status, body } = await patch('admin', _id, { projectManager: users.admin._id });
    expect(status).toBe(409);
    expect(body).toMatchObject({ message: 'Project Manager cannot be changed.' });
  });

  it('responds to a stale version with the current project', async () => {
    const { _id } = await createProject(service, users);
    await patch('admin', _id, { name: 'Second name', version: 1 });
    const { status, body } = await patch('manager', _id, { name: 'Third name', version: 1 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'stale_version', current: { name: 'Second name', version: 2 } });
  });

  it('keeps the highest progress of fifty concurrent writers', async () => {
    const { _id } = await createProject(service, users, { status: 'in-progress' });
    const requestedValues = Array.from({ length: 50 }, (_, index) => ((index * 37) % 100) + 1);
    const responses = await Promise.all(requestedValues.map((progress) => patch('manager', _id, { progress })));
    const { body } = await service.call('GET', `/projects/${_id}`, { as: users.manager });
    expect((body as { progress: number }).progress).toBe(Math.max(...requestedValues));
    expect(responses.every(({ status }) => status === 200 || status === 409)).toBe(true);
  });

  it('rejects members with 403, malformed bodies with 400, and anonymous callers with 401', async () => {
    const { _id } = await createProject(service, users, { status: 'in-progress' });
    const rejectedResponse = await patch('member', _id, { progress: 10 });
    expect(rejectedResponse.status).toBe(403);
    expect(rejectedResponse.body).toMatchObject({ message: 'Only Admin and Project Manager can update progress' });
    expect((await patch('admin', _id, { progress: 101 })).status).toBe(400);
    expect((await patch('admin', _id, { name: ' ' })).body).toMatchObject({ message: ['Project title is required'] });
    expect((await patch('admin', UNKNOWN, { name: 'x' })).status).toBe(404);
    expect((await service.call('PATCH', `/projects/${_id}`, { body: {} })).status).toBe(401);
  });
});

describe('DELETE /projects/:id', () => {
  it('deletes a project for its manager and publishes an event with the assignees and creators of its tasks', async () => {
    const { _id } = await createProject(service, users);
    for (const assignedTo of [users.member._id, users.manager._id, users.member._id, null])
      await createTask(service, users, { project: _id, assignedTo });
    expect((await service.call('DELETE', `/projects/${_id}`, { as: users.manager })).status).toBe(204);
    const { data } = await service.waitForEvent(projectDeleted, ({ projectId }) => projectId === _id);
    expect(data.assigneeIds?.toSorted()).toEqual([users.member._id, users.manager._id].sort());
    expect(data.creatorIds).toEqual([users.admin._id]);
    expect((await service.call('GET', `/projects/${_id}`, { as: users.manager })).status).toBe(404);
  });

  it('rejects members and other managers with the specified message', async () => {
    const { _id } = await createProject(service, users, { projectManager: users.admin._id });
    for (const as of [users.member, users.manager]) {
      const { status, body } = await service.call('DELETE', `/projects/${_id}`, { as });
      expect(status).toBe(403);
      expect(body).toMatchObject({ message: "You don't have permission to delete this project." });
    }
    expect((await service.call('DELETE', `/projects/${_id}`)).status).toBe(401);
    expect((await service.call('DELETE', `/projects/${UNKNOWN}`, { as: users.admin })).status).toBe(404);
  });
});

describe('every projects endpoint', () => {
  it('rejects malformed JSON, oversized bodies, and other media types with a standard error', async () => {
    const call = (body: string, headers = {}) => service.call('POST', '/projects', { as: users.admin, body, headers });
    const malformed = await call('{"name":');
    expect(malformed.status).toBe(400);
    expect(malformed.body).toMatchObject({ code: 'invalid_json', requestId: expect.any(String) });
    expect((await call(JSON.stringify({ name: 'x'.repeat(1_100_000) }))).status).toBe(413);
    expect((await call('name=x', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });
});
