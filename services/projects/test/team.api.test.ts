import { memberDeactivated, projectUpdated, taskUpdated } from '@atrium/proto-events/events/projects';
import { userDeactivated } from '@atrium/proto-events/events/users';
import type { Project } from '@atrium/proto-events/http/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
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

const add = (as: keyof TestUsers, id: string, userId: unknown) =>
  service.call('POST', `/projects/${id}/team-members`, { as: users[as], body: { userId } });
const remove = (as: keyof TestUsers, id: string, userId: string) =>
  service.call('DELETE', `/projects/${id}/team-members/${userId}`, { as: users[as] });
const listTeam = async (id: string) => {
  const { body } = await service.call('GET', `/projects/${id}`, { as: users.admin });
  return (body as Project).teamMembers.map(({ firstName }) => firstName);
};
const getTask = async (id: string) => (await service.call('GET', `/tasks/${id}`, { as: users.admin })).body as Task;

describe('POST /projects/:id/team-members', () => {
  it('appends a user to the team and publishes the whole team in one event', async () => {
    const { _id } = await createProject(service, users);
    const { status, body } = await add('manager', _id, users.colleague._id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ version: 2, teamMembers: [{ firstName: 'Mia' }, { firstName: 'Cora' }] });
    const event = await service.waitForEvent(projectUpdated, (data) => data.projectId === _id);
    expect(event.actorId).toBe(users.manager._id);
    expect(event.data).toMatchObject({
      memberIds: [users.member._id, users.colleague._id],
      affectedIds: [users.colleague._id],
      changed: ['teamMembers'],
      version: 2,
    });
    expect(service.countPublished(projectUpdated, (data) => data.projectId === _id)).toBe(1);
  });

  it('returns the project unchanged for a current member or the manager', async () => {
    const { _id } = await createProject(service, users);
    for (const user of [users.member, users.manager]) {
      const { status, body } = await add('admin', _id, user._id);
      expect(status).toBe(200);
      expect(body).toMatchObject({ version: 1, teamMembers: [{ firstName: 'Mia' }] });
    }
    service.addToDirectory({ ...users.member, status: 'inactive', version: 2 });
    expect((await add('admin', _id, users.member._id)).status).toBe(200);
    service.addToDirectory({ ...users.member, version: 3 });
    expect(service.countPublished(projectUpdated, (data) => data.projectId === _id)).toBe(0);
  });

  it('rejects inactive and unknown users, and a body without a user', async () => {
    const { _id } = await createProject(service, users);
    for (const userId of [users.inactive._id, UNKNOWN]) {
      const { status, body } = await add('admin', _id, userId);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        message: ['Team members must be active users'],
        errors: [{ path: 'body.userId', message: 'Team members must be active users' }],
      });
    }
    expect((await add('admin', _id, undefined)).status).toBe(400);
    expect((await add('admin', _id, 'nonsense')).status).toBe(400);
  });

  it('limits the teams of new and existing projects to 500 members', async () => {
    const members = Array.from({ length: 500 }, () => buildUser());
    service.addToDirectory(...members);
    const teamMembers = members.map(({ _id }) => _id);
    const tooMany = 'A project can have at most 500 team members';
    const createResponse = await service.call('POST', '/projects', {
      as: users.admin,
      body: buildProjectBody(users, { teamMembers: [...teamMembers, users.member._id] }),
    });
    expect([createResponse.status, createResponse.body]).toMatchObject([400, { message: [tooMany] }]);
    const { _id } = await createProject(service, users, { teamMembers });
    const rejectedResponse = await add('admin', _id, users.colleague._id);
    expect([rejectedResponse.status, rejectedResponse.body]).toMatchObject([
      400,
      { errors: [{ path: 'body.userId', message: tooMany }] },
    ]);
    expect((await add('admin', _id, teamMembers[0])).status).toBe(200);
    expect((await remove('admin', _id, teamMembers[0] ?? '')).status).toBe(204);
    expect((await add('admin', _id, users.colleague._id)).status).toBe(200);
  });

  it('accepts administrators and project managers of existing projects only', async () => {
    const { _id } = await createProject(service, users);
    const rejectedResponse = await add('member', _id, users.colleague._id);
    expect(rejectedResponse.status).toBe(403);
    expect(rejectedResponse.body).toMatchObject({ message: 'Only Admin and Project Manager can edit projects' });
    expect((await add('admin', UNKNOWN, users.colleague._id)).status).toBe(404);
    expect((await add('admin', 'nonsense', users.colleague._id)).status).toBe(404);
    const anonymous = await service.call('POST', `/projects/${_id}/team-members`, { body: {} });
    expect(anonymous.status).toBe(401);
  });
});

describe('a project manager outside a project', () => {
  it('cannot add anyone until an administrator has added them', async () => {
    const { _id } = await createProject(service, users);
    const message = 'Only administrators and project managers in this project can add people to it';
    for (const user of [users.otherManager, users.colleague, users.member]) {
      const denied = await add('otherManager', _id, user._id);
      expect([denied.status, denied.body]).toMatchObject([403, { message }]);
    }
    expect(await listTeam(_id)).toEqual(['Mia']);
    const canAddMembers = async (as: keyof TestUsers) =>
      ((await service.call('GET', `/projects/${_id}`, { as: users[as] })).body as Project).abilities.addMembers;
    expect([await canAddMembers('otherManager'), await canAddMembers('manager'), await canAddMembers('admin')]).toEqual(
      [false, true, true],
    );
    expect((await add('admin', _id, users.otherManager._id)).status).toBe(200);
    expect((await add('otherManager', _id, users.colleague._id)).status).toBe(200);
    expect((await remove('manager', _id, users.otherManager._id)).status).toBe(204);
    expect((await add('otherManager', _id, users.otherManager._id)).status).toBe(403);
  });

  it('cannot exchange memberships with another project manager', async () => {
    const partner = buildUser({ role: 'project_manager' });
    service.addToDirectory(partner);
    const { _id } = await createProject(service, users);
    expect((await add('otherManager', _id, partner._id)).status).toBe(403);
    const path = `/projects/${_id}/team-members`;
    const returnResponse = await service.call('POST', path, { as: partner, body: { userId: users.otherManager._id } });
    expect(returnResponse.status).toBe(403);
    expect((await add('admin', _id, users.admin._id)).status).toBe(200);
  });
});

describe('a user who was deactivated or deleted', () => {
  const deactivate = async (user: TestUsers[keyof TestUsers], reason: 'deactivated' | 'deleted' = 'deactivated') => {
    service.addToDirectory({ ...user, status: 'inactive', deleted: reason === 'deleted', version: 2 });
    await service.deliver(userDeactivated, { userId: user._id, reason, version: 2 }, 2, users.admin._id);
  };
  const createUser = (overrides: Parameters<typeof buildUser>[0] = {}) => {
    const user = buildUser(overrides);
    service.addToDirectory(user);
    return user;
  };

  it('is removed from every team and open task once, and stays removed when reactivated', async () => {
    const deactivatedUser = createUser({ firstName: 'Lea' });
    const firstProject = await createProject(service, users, { teamMembers: [users.member._id, deactivatedUser._id] });
    const secondProject = await createProject(service, users, { teamMembers: [deactivatedUser._id] });
    const assignment = { assignedTo: deactivatedUser._id };
    const openTask = await createTask(service, users, {
      project: firstProject._id,
      ...assignment,
      title: 'Plan the launch',
    });
    const doneTask = await createTask(service, users, { project: firstProject._id, ...assignment, status: 'done' });
    const otherTask = await createTask(service, users, { project: firstProject._id, assignedTo: users.member._id });
    await deactivate(deactivatedUser);
    expect([await listTeam(firstProject._id), await listTeam(secondProject._id)]).toEqual([['Mia'], []]);
    expect(await getTask(openTask._id)).toMatchObject({ assignedTo: null, version: 2 });
    expect(await getTask(doneTask._id)).toMatchObject({ assignedTo: { _id: deactivatedUser._id }, version: 1 });
    expect(await getTask(otherTask._id)).toMatchObject({ assignedTo: { firstName: 'Mia' }, version: 1 });
    const event = await service.waitForEvent(memberDeactivated, (data) => data.projectId === firstProject._id);
    expect(event).toMatchObject({
      actorId: users.admin._id,
      data: {
        userId: deactivatedUser._id,
        managerId: users.manager._id,
        tasks: [{ taskId: openTask._id, title: 'Plan the launch' }],
        taskCount: 1,
      },
    });
    expect(service.countPublished(memberDeactivated, ({ userId }) => userId === deactivatedUser._id)).toBe(2);
    const projectEvent = await service.waitForEvent(projectUpdated, (data) => data.projectId === firstProject._id);
    expect(projectEvent.data).toMatchObject({ changed: ['teamMembers'], affectedIds: [deactivatedUser._id] });
    const taskEvent = await service.waitForEvent(taskUpdated, (data) => data.taskId === openTask._id);
    expect(taskEvent.data.previousAssignee).toBe(deactivatedUser._id);
    service.addToDirectory({ ...deactivatedUser, version: 3 });
    expect(await listTeam(firstProject._id)).toEqual(['Mia']);
    expect((await add('manager', firstProject._id, deactivatedUser._id)).status).toBe(200);
  });

  it('can be replaced as project manager only by administrators, and only after leaving', async () => {
    const deactivatedUser = createUser({ firstName: 'Lars', role: 'project_manager' });
    const { _id } = await createProject(service, users, {
      projectManager: deactivatedUser._id,
      teamMembers: [users.member._id, users.otherManager._id],
    });
    const assign = (as: keyof TestUsers, projectManager: string) =>
      service.call('PATCH', `/projects/${_id}`, { as: users[as], body: { projectManager } });
    const canAssign = async (as: keyof TestUsers) =>
      ((await service.call('GET', `/projects/${_id}`, { as: users[as] })).body as Project).abilities.changeManager;
    expect((await assign('admin', users.otherManager._id)).body).toMatchObject({
      message: 'Project Manager cannot be changed.',
    });
    expect(await canAssign('admin')).toBe(false);

    await deactivate(deactivatedUser, 'deleted');
    expect([await canAssign('admin'), await canAssign('otherManager')]).toEqual([true, false]);
    const managerEvent = await service.waitForEvent(projectUpdated, (data) => data.projectId === _id);
    expect(managerEvent.data).toMatchObject({ changed: ['projectManager'], affectedIds: [] });
    const denied = await assign('otherManager', users.otherManager._id);
    expect([denied.status, denied.body]).toMatchObject([
      403,
      { message: 'Only administrators can assign a new project manager' },
    ]);
    for (const invalidId of [users.member._id, users.inactive._id, UNKNOWN]) {
      const { status, body } = await assign('admin', invalidId);
      expect([status, body]).toMatchObject([400, { message: ['Invalid project manager selection'] }]);
    }
    const { status, body } = await assign('admin', users.otherManager._id);
    expect([status, body]).toMatchObject([200, { projectManager: { firstName: 'Olga' }, memberCount: 1 }]);
    const event = await service.waitForEvent(
      projectUpdated,
      (data) => data.projectId === _id && data.managerId === users.otherManager._id,
    );
    expect(event.data).toMatchObject({
      changed: ['projectManager', 'teamMembers'],
      memberIds: [users.member._id],
      affectedIds: [deactivatedUser._id, users.otherManager._id],
    });
    expect((await assign('admin', users.manager._id)).status).toBe(409);
  });
});

describe('DELETE /projects/:id/team-members', () => {
  it('removes the user named in the body and publishes the whole team in one event', async () => {
    const { _id } = await createProject(service, users, { teamMembers: [users.member._id, users.colleague._id] });
    const { status } = await service.call('DELETE', `/projects/${_id}/team-members`, {
      as: users.manager,
      body: { userId: users.member._id },
    });
    expect(status).toBe(204);
    expect(await listTeam(_id)).toEqual(['Cora']);
    const event = await service.waitForEvent(projectUpdated, (data) => data.projectId === _id);
    expect(event.data).toMatchObject({
      memberIds: [users.colleague._id],
      affectedIds: [users.member._id],
      changed: ['teamMembers'],
      version: 2,
    });
  });

  it('unassigns the user’s open tasks, publishes an event for each, and keeps done tasks', async () => {
    const { _id } = await createProject(service, users, { teamMembers: [users.member._id, users.colleague._id] });
    const otherProject = await createProject(service, users);
    const assignment = { assignedTo: users.member._id };
    const openTask = await createTask(service, users, { project: _id, ...assignment, status: 'review' });
    const doneTask = await createTask(service, users, { project: _id, ...assignment, status: 'done' });
    const colleagueTask = await createTask(service, users, { project: _id, assignedTo: users.colleague._id });
    const otherTask = await createTask(service, users, { project: otherProject._id, ...assignment });
    expect((await remove('admin', _id, users.member._id)).status).toBe(204);
    expect(await getTask(openTask._id)).toMatchObject({ assignedTo: null, version: 2 });
    expect(await getTask(doneTask._id)).toMatchObject({ assignedTo: { firstName: 'Mia' }, version: 1 });
    expect(await getTask(colleagueTask._id)).toMatchObject({ assignedTo: { firstName: 'Cora' }, version: 1 });
    expect(await getTask(otherTask._id)).toMatchObject({ assignedTo: { firstName: 'Mia' }, version: 1 });
    const event = await service.waitForEvent(taskUpdated, (data) => data.taskId === openTask._id);
    expect(event.data).toMatchObject({
      assignedTo: null,
      previousAssignee: users.member._id,
      changed: ['assignedTo'],
      status: 'review',
      version: 2,
    });
    expect(service.countPublished(taskUpdated, (data) => data.taskId === doneTask._id)).toBe(0);
  });

  it('rejects removing the manager or users outside the team, and callers who are members', async () => {
    const { _id } = await createProject(service, users);
    const managerResponse = await remove('admin', _id, users.manager._id);
    expect(managerResponse.status).toBe(409);
    expect(managerResponse.body).toMatchObject({ message: 'The project manager cannot be removed', code: 'conflict' });
    expect((await remove('admin', _id, users.colleague._id)).status).toBe(404);
    expect((await remove('admin', _id, 'nonsense')).status).toBe(404);
    expect((await remove('admin', UNKNOWN, users.member._id)).status).toBe(404);
    const rejectedResponse = await remove('member', _id, users.member._id);
    expect(rejectedResponse.status).toBe(403);
    expect(rejectedResponse.body).toMatchObject({ message: 'Only Admin and Project Manager can edit projects' });
    const anonymous = await service.call('DELETE', `/projects/${_id}/team-members/${users.member._id}`);
    expect(anonymous.status).toBe(401);
    expect(await listTeam(_id)).toEqual(['Mia']);
  });

  it('applies the same rules to a user named in the body', async () => {
    const { _id } = await createProject(service, users);
    const removeInBody = async (as: keyof TestUsers | undefined, userId?: string) => {
      const options = { body: { userId }, ...(as && { as: users[as] }) };
      return (await service.call('DELETE', `/projects/${_id}/team-members`, options)).status;
    };
    expect(await removeInBody('admin', users.manager._id)).toBe(409);
    expect(await removeInBody('admin', users.colleague._id)).toBe(404);
    expect(await removeInBody('member', users.member._id)).toBe(403);
    expect(await removeInBody('admin')).toBe(400);
    expect(await removeInBody(undefined, users.member._id)).toBe(401);
    expect(await listTeam(_id)).toEqual(['Mia']);
  });

  it('allows team changes in a completed project', async () => {
    const { _id } = await createProject(service, users, { status: 'in-progress' });
    await service.call('PATCH', `/projects/${_id}`, { as: users.manager, body: { status: 'completed' } });
    expect((await add('manager', _id, users.colleague._id)).status).toBe(200);
    expect((await remove('manager', _id, users.member._id)).status).toBe(204);
  });
});

describe('GET /projects/my-projects', () => {
  const listMine = async (as: keyof TestUsers, query = '') => {
    const { status, body } = await service.call('GET', `/projects/my-projects?limit=100${query}`, { as: users[as] });
    expect(status).toBe(200);
    return body as { data: Project[]; total: number };
  };

  it('lists the projects the caller manages or belongs to, most recently changed first', async () => {
    const totalBefore = (await listMine('colleague')).total;
    const touchedProject = await createProject(service, users, { teamMembers: [users.colleague._id] });
    const managedProject = await createProject(service, users);
    const laterProject = await createProject(service, users, {
      teamMembers: [users.colleague._id, users.member._id],
    });
    await service.call('PATCH', `/projects/${touchedProject._id}`, { as: users.admin, body: { name: 'Touched' } });
    const { data, total } = await listMine('colleague');
    expect(total).toBe(totalBefore + 2);
    expect(data.slice(0, 2).map(({ _id }) => _id)).toEqual([touchedProject._id, laterProject._id]);
    expect((await listMine('stranger')).total).toBe(0);
    expect((await listMine('manager')).data.map(({ _id }) => _id)).toContain(managedProject._id);
  });

  it('filters and searches like GET /projects', async () => {
    await createProject(service, users, { name: 'Zeppelin', teamMembers: [users.colleague._id], priority: 'low' });
    await createProject(service, users, { name: 'Zeppelin', priority: 'low' });
    expect((await listMine('colleague', '&search=zepp&priority=low,urgent')).total).toBe(1);
    expect((await listMine('colleague', '&search=ze')).total).toBe(1);
    expect((await listMine('colleague', '&search=zepp&status=completed')).total).toBe(0);
  });

  it('rejects anonymous callers', async () => {
    expect((await service.call('GET', '/projects/my-projects')).status).toBe(401);
  });
});
