import { isDeepStrictEqual } from 'node:util';
import { accountActivated, invitationCreated } from '@atrium/proto-events/events/auth';
import { projectDeleted, taskCreated, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import {
  departmentCreated,
  departmentUpdated,
  userCountsChanged,
  userCreated,
  userUpdated,
} from '@atrium/proto-events/events/users';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildInvitation, createMember, createRegisteredUser, startUsers, type TestUser } from './factories.ts';

// The item of an event must be the one that the list shows after the change, since browsers replace the one with the other.

let service: TestService;
let admin: TestUser;
let viewer: TestUser;

beforeAll(async () => {
  service = await startUsers();
  admin = await createRegisteredUser(service, { role: 'admin' });
  viewer = await createMember(service);
});
afterAll(() => service.close());

type Listed = { _id: string; version: number; tasksCompleted?: number };

async function findListed(path: string, id: string): Promise<Listed> {
  const { body } = await service.call('GET', path, { as: viewer });
  const item = (body as { data: Listed[] }).data.find(({ _id }) => _id === id);
  if (!item) throw new Error(`${path} does not list ${id}`);
  return item;
}
const findListedUser = (id: string) => findListed(`/users?ids=${id}`, id);
const findListedDepartment = (id: string) => findListed('/departments?limit=100', id);
const patchUser = (id: string, body: object) => service.call('PATCH', `/users/${id}`, { as: admin, body });

describe('users.user.created', () => {
  it('carries a registered user as lists show them', async () => {
    const { _id } = await createRegisteredUser(service);
    const { data } = await service.waitForEvent(userCreated, ({ userId }) => userId === _id);
    expect(data.user).toEqual(await findListedUser(_id));
  });

  it('carries an invited user as lists show them', async () => {
    const invitation = buildInvitation({ departmentId: '000000000000000000000d02', role: 'project_manager' });
    await service.deliver(invitationCreated, invitation);
    const { data } = await service.waitForEvent(userCreated, ({ userId }) => userId === invitation.userId);
    expect(data.user).toEqual(await findListedUser(invitation.userId));
  });
});

const buildTask = (assignedTo: string, status = 'done') => ({
  taskId: newId(),
  projectId: newId(),
  title: 'A task',
  status,
  assignedTo,
  version: 1,
});

describe('users.user.updated', () => {
  const changes: [string, (user: TestUser) => Promise<unknown>][] = [
    ['firstName', ({ _id }) => patchUser(_id, { firstName: 'Renamed', skills: ['SQL'], bio: 'Counts.' })],
    ['department', ({ _id }) => patchUser(_id, { department: 'Sales' })],
    ['role', ({ _id }) => patchUser(_id, { role: 'project_manager' })],
    ['status', ({ _id }) => patchUser(_id, { status: 'inactive' })],
    [
      'timezone',
      (as) => service.call('PATCH', '/users/profile', { as, body: { department: 'Design', timezone: 'Asia/Tokyo' } }),
    ],
    ['preferences', (as) => service.call('PATCH', '/users/profile/preferences', { as, body: { reminderMinutes: 5 } })],
    ['tasksCompleted', ({ _id }) => service.deliver(taskCreated, buildTask(_id))],
  ];

  it.each(changes)('carries the user as lists show them after a change of %s', async (field, change) => {
    const user = await createMember(service);
    await change(user);
    const { data } = await service.waitForEvent(
      userUpdated,
      ({ userId, changed }) => userId === user._id && changed.includes(field) && !changed.includes('invited'),
    );
    expect(data.user).toEqual(await findListedUser(user._id));
    expect(data.user?.version).toBe(data.version);
  });

  it('carries an invited user who has accepted as lists show them', async () => {
    const invitation = buildInvitation();
    await service.deliver(invitationCreated, invitation);
    await service.deliver(accountActivated, { userId: invitation.userId, phone: '+4930', location: 'Berlin' });
    const { data } = await service.waitForEvent(userUpdated, ({ userId }) => userId === invitation.userId);
    expect(data.user).toEqual(await findListedUser(invitation.userId));
  });

  it('is published for each change of the number of completed tasks, in the same version of the user', async () => {
    const user = await createMember(service);
    const task = buildTask(user._id);
    const secondTask = buildTask(user._id);
    const isAboutTasks = (data: { userId: string; changed: string[] }) =>
      data.userId === user._id && data.changed.includes('tasksCompleted');
    const expectPublished = async (tasksCompleted: number, eventCount: number) => {
      const { data } = await service.waitForEvent(
        userUpdated,
        (published) => isAboutTasks(published) && published.user?.tasksCompleted === tasksCompleted,
      );
      expect(data).toMatchObject({ version: 2, changed: ['tasksCompleted'] });
      expect(data.user).toEqual(await findListedUser(user._id));
      expect(service.countPublished(userUpdated, isAboutTasks)).toBe(eventCount);
    };
    await service.deliver(taskCreated, task, 2);
    await expectPublished(1, 1);
    await service.deliver(taskCreated, secondTask);
    await expectPublished(2, 2);
    await service.deliver(projectDeleted, { projectId: secondTask.projectId, name: 'A project' });
    await service.deliver(taskUpdated, { ...task, progress: 0, changed: ['title'], version: 2 });
    await service.deliver(taskDeleted, task, 2);
    await expectPublished(0, 4);
  });
});

describe('events of a department', () => {
  it('carry it as the list shows it, with the number of employees', async () => {
    const call = (method: string, path: string, body?: object) =>
      service.call(method, `/departments${path}`, { as: admin, ...(body && { body }) });
    const { _id } = (await call('POST', '', { name: 'Research' })).body as Listed;
    const created = await service.waitForEvent(departmentCreated, ({ departmentId }) => departmentId === _id);
    expect(created.data.department).toEqual(await findListedDepartment(_id));
    await patchUser((await createMember(service))._id, { department: _id });
    const steps: (() => Promise<unknown>)[] = [
      () => call('PATCH', `/${_id}`, { name: 'Science' }),
      () => call('DELETE', `/${_id}`),
      () => call('PATCH', `/${_id}`, { isActive: true }),
    ];
    for (const [index, change] of steps.entries()) {
      await change();
      const { data } = await service.waitForEvent(
        departmentUpdated,
        ({ departmentId, version }) => departmentId === _id && version === index + 2,
      );
      expect(data.department).toMatchObject({ employeeCount: 1 });
      expect(data.department).toEqual(await findListedDepartment(_id));
    }
  });
});

describe('users.counts.changed', () => {
  it('carries the counts that the overview shows after users were added, changed, and deleted', async () => {
    const waitForCurrentCounts = async () => {
      const { body: counts } = await service.call('GET', '/users/stats/overview', { as: viewer });
      await service.waitForEvent(userCountsChanged, (published) => isDeepStrictEqual(published, counts));
    };
    const colleague = await createMember(service);
    const user = await createRegisteredUser(service);
    await waitForCurrentCounts();
    await patchUser(user._id, { role: 'project_manager' });
    await waitForCurrentCounts();
    await service.call('DELETE', `/users/${colleague._id}`, { as: admin });
    await waitForCurrentCounts();
  });
});
