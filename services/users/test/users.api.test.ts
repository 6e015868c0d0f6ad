import { invitationCreated } from '@atrium/proto-events/events/auth';
import { sessionsEnded, userDeactivated, userUpdated } from '@atrium/proto-events/events/users';
import type { User } from '@atrium/proto-events/people';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildInvitation,
  createMember,
  createRegisteredUser,
  getUser,
  startUsers,
  type TestUser,
  waitForDirectory,
} from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
let service: TestService;
let admin: TestUser;
let member: TestUser;

beforeAll(async () => {
  service = await startUsers();
  admin = await createRegisteredUser(service, {
    role: 'admin',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
  });
  member = await createMember(service, { firstName: 'Mia', lastName: 'Ångström', email: 'mia@example.net' });
});
afterAll(() => service.close());

const patch = (as: TestUser, id: string, body: unknown) => service.call('PATCH', `/users/${id}`, { as, body });
const patchProfile = (as: TestUser, body: unknown) => service.call('PATCH', '/users/profile', { as, body });
type List = { data: User[]; total: number; page: number; totalPages: number };
const listUsers = async (query: string) => (await service.call('GET', `/users?${query}`, { as: member })).body as List;

describe('GET /users/profile', () => {
  it('returns the full profile of the caller', async () => {
    const { status, body } = await service.call('GET', '/users/profile', { as: admin });
    expect(status).toBe(200);
    expect(body).toEqual({
      _id: admin._id,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.org',
      phone: '',
      location: '',
      department: null,
      role: 'admin',
      status: 'active',
      invited: false,
      bio: '',
      skills: [],
      avatar: null,
      timezone: 'UTC',
      joinDate: expect.any(String),
      lastLogin: null,
      tasksCompleted: 0,
      version: 1,
    });
    expect((await service.call('GET', '/users/profile')).status).toBe(401);
  });
});

describe('PATCH /users/profile', () => {
  it('responds to a stale version with the current user', async () => {
    const user = await createMember(service);
    await patchProfile(user, { location: 'Berlin' });
    const { status, body } = await patchProfile(user, { location: 'Bremen', version: 0 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'stale_version', current: { location: 'Berlin' } });
  });

  it('changes editable fields and publishes an event', async () => {
    const user = await createMember(service);
    const { status, body } = await patchProfile(user, {
      firstName: ' Maria ',
      phone: '+4930123456',
      location: 'Berlin',
      department: 'design',
      bio: 'Draws.',
      timezone: 'Europe/Berlin',
      role: 'admin',
      email: 'evil@example.org',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      firstName: 'Maria',
      department: { name: 'Design' },
      timezone: 'Europe/Berlin',
      role: 'member',
      version: 3,
    });
    expect((body as User).email).not.toBe('evil@example.org');
    const event = await service.waitForEvent(
      userUpdated,
      ({ userId, version }) => userId === user._id && version === 3,
    );
    expect(event.data.changed.sort()).toEqual(['bio', 'department', 'firstName', 'location', 'phone', 'timezone']);
    expect(event.actorId).toBe(user._id);
    expect(await waitForDirectory(service, user._id, 3)).toMatchObject({
      firstName: 'Maria',
      timezone: 'Europe/Berlin',
    });
  });

  it('marks a department as self-assigned until an administrator assigns it, or the user switches back to the assigned one', async () => {
    const user = await createMember(service);
    const patchAndRead = async (body: object) => {
      const { status, body: updated } = await patchProfile(user, body);
      expect(status).toBe(200);
      const { version } = updated as User;
      const directoryEntry = await waitForDirectory(service, user._id, version);
      expect((updated as User).departmentSelfAssigned).toBe(directoryEntry.departmentSelfAssigned);
      return [(updated as User).department?.name ?? null, directoryEntry.departmentSelfAssigned ?? false];
    };
    expect(await patchAndRead({ department: 'Sales' })).toEqual(['Sales', true]);
    expect(await patchAndRead({ department: 'Sales', location: 'Berlin' })).toEqual(['Sales', true]);
    // Saving the same department as an administrator assigns it.
    const assignedUser = (await patch(admin, user._id, { department: 'Sales', phone: '+4930' })).body as User;
    expect(assignedUser.departmentSelfAssigned).toBeUndefined();
    expect(await patchAndRead({ department: 'HR' })).toEqual(['HR', true]);
    expect(await patchAndRead({ department: 'Finance' })).toEqual(['Finance', true]);
    expect(await patchAndRead({ department: '' })).toEqual([null, true]);
    expect(await patchAndRead({ department: 'Sales' })).toEqual(['Sales', false]);
    expect((await patch(admin, user._id, { location: 'Bonn' })).body).toMatchObject({
      department: { name: 'Sales' },
    });
    const event = await service.waitForEvent(
      userUpdated,
      ({ userId, version }) => userId === user._id && version === assignedUser.version,
    );
    expect(event.data.changed.sort()).toEqual(['department', 'phone']);
  });

  it('ignores unchanged values', async () => {
    const user = await createMember(service);
    expect((await patchProfile(user, { timezone: 'UTC', department: '' })).body).toMatchObject({ version: 2 });
  });

  it.each([
    [{ firstName: ' ' }, 'First name and last name are required'],
    [{ phone: '0301' }, 'Please enter a valid phone number'],
    [{ timezone: 'Mars/Olympus' }, 'Unknown time zone'],
    [{ department: 'Alchemy' }, 'Unknown department'],
    [{ department: UNKNOWN }, 'Unknown department'],
  ])('rejects %j', async (invalidBody, message) => {
    const { status, body } = await patchProfile(member, invalidBody);
    expect(status).toBe(400);
    expect((body as { message: string[] }).message).toEqual([message]);
  });

  it('rejects anonymous callers', async () => {
    expect((await service.call('PATCH', '/users/profile', { body: {} })).status).toBe(401);
  });
});

describe('GET /users', () => {
  it('lists all users by last and first name, ignoring case', async () => {
    await createRegisteredUser(service, { firstName: 'zoe', lastName: 'ordered', email: 'o1@order.example' });
    await createRegisteredUser(service, { firstName: 'Bea', lastName: 'ORDERED', email: 'o2@order.example' });
    await createRegisteredUser(service, { firstName: 'Ann', lastName: 'Ordered', email: 'o3@order.example' });
    const { data, total } = await listUsers('search=order.example');
    expect(data.map(({ firstName }) => firstName)).toEqual(['Ann', 'Bea', 'zoe']);
    expect(total).toBe(3);
    expect((await service.call('GET', '/users')).status).toBe(401);
  });

  it('searches first, last, and full name and email, in any order, case, and normal form', async () => {
    const findIds = async (search: string) =>
      (await listUsers(`search=${encodeURIComponent(search)}`)).data.map(({ _id }) => _id);
    for (const search of ['ADA', 'lovelace', 'Ada Lovelace', 'lovelace  ÁDA', 'ad lov', 'ada@example', 'example ada']) {
      expect(await findIds(search)).toEqual([admin._id]);
    }
    for (const search of ['ÅNGSTR', 'angstr', 'A\u030angstr', 'ang\u200bstr'])
      expect(await findIds(search)).toEqual([member._id]);
    expect(await findIds('a%e')).toEqual([]);
    expect(await findIds('...')).toEqual([]);
  });

  it('combines filters by role, status, and department', async () => {
    const user = await createMember(service, { role: 'project_manager', lastName: 'Filtered' });
    await patchProfile(user, { department: 'Finance' });
    const department = (await getUser(service, admin, user._id)).department?._id;
    const query = `role=project_manager&status=active&department=${department}&search=filtered`;
    expect((await listUsers(query)).data.map(({ _id }) => _id)).toEqual([user._id]);
    expect((await listUsers(query.replace('status=active', 'status=inactive'))).total).toBe(0);
    expect((await service.call('GET', '/users?role=owner', { as: admin })).status).toBe(400);
    expect((await service.call('GET', '/users?department=Finance', { as: admin })).status).toBe(400);
  });

  it('returns only the requested ids', async () => {
    const lastUser = await createMember(service, { lastName: 'Zz' });
    const firstUser = await createMember(service, { lastName: 'Za' });
    const page = await listUsers(`ids=${lastUser._id},nonsense,${firstUser._id}`);
    expect(page.data.map(({ _id }) => _id)).toEqual([firstUser._id, lastUser._id]);
    expect(page.total).toBe(2);
    expect((await listUsers(`ids=${lastUser._id}&status=inactive`)).data).toEqual([]);
    expect((await listUsers('ids=')).total).toBe(0);
  });

  it('paginates, clamps a large limit, and omits deleted users', async () => {
    const deletedUser = await createRegisteredUser(service, { email: 'gone@example.org' });
    await service.query('update users set deleted_at = now() where id = $1', [deletedUser._id]);
    expect((await listUsers('search=gone@example.org')).total).toBe(0);
    expect((await service.call('GET', `/users/${deletedUser._id}`, { as: admin })).status).toBe(404);
    const firstPage = await listUsers('limit=2&page=1');
    const secondPage = await listUsers('limit=2&page=2');
    expect(firstPage.data).toHaveLength(2);
    expect(secondPage.data.map(({ _id }) => _id)).not.toContain(firstPage.data[0]?._id);
    expect((await listUsers('limit=5000')).totalPages).toBe(1);
    expect((await listUsers('limit=5000&page=9')).data).toEqual([]);
  });
});

describe('GET /users/project-managers', () => {
  it('returns an array of the active users who can manage a project', async () => {
    const manager = await createMember(service, { role: 'project_manager' });
    const inactiveUser = await createMember(service, { role: 'project_manager' });
    await patch(admin, inactiveUser._id, { status: 'inactive' });
    const { status, body } = await service.call('GET', '/users/project-managers', { as: member });
    expect(status).toBe(200);
    const ids = (body as { _id: string }[]).map(({ _id }) => _id);
    expect(ids).toEqual(expect.arrayContaining([admin._id, manager._id]));
    expect(ids).not.toContain(member._id);
    expect(ids).not.toContain(inactiveUser._id);
    const tooLongResponse = await service.call('GET', `/users/project-managers?search=${'x'.repeat(201)}`, {
      as: member,
    });
    expect(tooLongResponse.status).toBe(400);
    expect((await service.call('GET', '/users/project-managers')).status).toBe(401);
  });
});

describe('GET /users/stats/overview', () => {
  it('counts users by role and status, and those who joined this month', async () => {
    const readStats = async () =>
      (await service.call('GET', '/users/stats/overview', { as: member })).body as Record<string, number>;
    const statsBefore = await readStats();
    const user = await createMember(service, { role: 'project_manager' });
    await service.query(`update users set join_date = '2020-01-01' where id = $1`, [user._id]);
    const inactiveUser = await createMember(service);
    await patch(admin, inactiveUser._id, { status: 'inactive' });
    expect(await readStats()).toEqual({
      total: (statsBefore.total ?? 0) + 2,
      admins: statsBefore.admins,
      projectManagers: (statsBefore.projectManagers ?? 0) + 1,
      members: (statsBefore.members ?? 0) + 1,
      active: (statsBefore.active ?? 0) + 1,
      inactive: (statsBefore.inactive ?? 0) + 1,
      newThisMonth: (statsBefore.newThisMonth ?? 0) + 1,
    });
    expect((await service.call('GET', '/users/stats/overview')).status).toBe(401);
  });
});

describe('GET /users/:id', () => {
  it('returns a user to every signed-in user', async () => {
    const { status, body } = await service.call('GET', `/users/${admin._id}`, { as: member });
    expect(status).toBe(200);
    expect(body).toMatchObject({ firstName: 'Ada' });
  });

  it('responds with 404 for an unknown or malformed id, and 401 to anonymous callers', async () => {
    expect((await service.call('GET', `/users/${UNKNOWN}`, { as: admin })).status).toBe(404);
    expect((await service.call('GET', '/users/nonsense', { as: admin })).status).toBe(404);
    expect((await service.call('GET', `/users/${UNKNOWN}`)).status).toBe(401);
  });
});

it('users include the last sign-in only for administrators and in the caller’s own profile', async () => {
  const user = await createMember(service);
  const colleague = await createMember(service);
  const showsLastLogin = async (as: typeof admin) => {
    const singleUser = (await service.call('GET', `/users/${user._id}`, { as })).body as object;
    const { body } = await service.call('GET', `/users?ids=${user._id}`, { as });
    return [singleUser, ...(body as { data: object[] }).data].map((listedUser) => 'lastLogin' in listedUser);
  };
  expect(await showsLastLogin(admin)).toEqual([true, true]);
  expect(await showsLastLogin(user)).toEqual([false, false]);
  expect(await showsLastLogin(colleague)).toEqual([false, false]);
  const profile = await service.call('GET', '/users/profile', { as: user });
  expect(profile.body).toHaveProperty('lastLogin');
});

describe('PATCH /users/:id', () => {
  it('changes a user for an administrator and publishes an event', async () => {
    const user = await createMember(service);
    const { status, body } = await patch(admin, user._id, {
      lastName: 'Changed',
      department: 'Sales',
      skills: [' Figma ', '', 'Figma', 'SQL'],
      bio: 'Sells.',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      lastName: 'Changed',
      department: { name: 'Sales' },
      skills: ['Figma', 'SQL'],
      version: 3,
    });
    const event = await service.waitForEvent(
      userUpdated,
      ({ userId, version }) => userId === user._id && version === 3,
    );
    expect(event.actorId).toBe(admin._id);
    expect(event.data.changed.sort()).toEqual(['bio', 'department', 'lastName', 'skills']);
    expect((await patch(admin, user._id, { department: null })).body).toMatchObject({ department: null });
    expect((await waitForDirectory(service, user._id, 4)).sessionsValidAfter).toBe(0);
  });

  it('rejects callers who are not administrators', async () => {
    const manager = await createMember(service, { role: 'project_manager' });
    for (const as of [member, manager]) {
      const { status, body } = await patch(as, admin._id, { lastName: 'X' });
      expect(status).toBe(403);
      expect(body).toMatchObject({ message: 'Only administrators can change people' });
      expect((await patch(as, UNKNOWN, { lastName: 'X' })).status).toBe(404);
    }
    expect((await service.call('PATCH', `/users/${admin._id}`, { body: {} })).status).toBe(401);
    expect((await patch(admin, UNKNOWN, { lastName: 'X' })).status).toBe(404);
    expect((await patch(admin, 'nonsense', { lastName: 'X' })).status).toBe(404);
  });

  it.each([
    [{ firstName: '' }, 'First name and last name are required'],
    [{ lastName: '  ' }, 'First name and last name are required'],
    [{ department: 'Alchemy' }, 'Unknown department'],
  ])('rejects %j', async (invalidBody, message) => {
    const { status, body } = await patch(admin, member._id, invalidBody);
    expect(status).toBe(400);
    expect((body as { message: string[] }).message).toEqual([message]);
  });

  it('responds to a stale version with the current user', async () => {
    const user = await createMember(service);
    await patch(admin, user._id, { lastName: 'Second', version: 2 });
    const { status, body } = await patch(admin, user._id, { lastName: 'Third', version: 2 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'stale_version', current: { lastName: 'Second', version: 3 } });
  });

  it('ends every session of a deactivated user, immediately in the directory', async () => {
    const user = await createMember(service);
    const token = await service.tokens.sign(user);
    const call = () => fetch(`${service.url}/api/users/profile`, { headers: { authorization: `Bearer ${token}` } });
    expect((await call()).status).toBe(200);
    const { body } = await patch(admin, user._id, { status: 'inactive' });
    expect(body).toMatchObject({ status: 'inactive', version: 3 });
    // The change is applied before the response, not when the event arrives.
    expect(service.running.directory.user(user._id)).toMatchObject({ status: 'inactive', version: 3 });
    expect((await call()).status).toBe(401);
    const event = await service.waitForEvent(sessionsEnded, ({ userId }) => userId === user._id);
    expect(event.data.reason).toBe('deactivated');
    const deactivation = await service.waitForEvent(userDeactivated, ({ userId }) => userId === user._id);
    expect(deactivation).toMatchObject({ actorId: admin._id, data: { reason: 'deactivated', version: 3 } });
    const entry = await waitForDirectory(service, user._id, 3);
    expect(entry).toMatchObject({ status: 'inactive', sessionsValidAfter: event.data.validAfter });
    expect((await call()).status).toBe(401);
    await patch(admin, user._id, { status: 'active' });
    await waitForDirectory(service, user._id, 4);
    expect((await call()).status).toBe(401);
  });

  it('ends every session when the role changes, and applies the new role', async () => {
    const user = await createMember(service);
    await patch(admin, user._id, { role: 'admin' });
    const event = await service.waitForEvent(sessionsEnded, ({ userId }) => userId === user._id);
    expect(event.data.reason).toBe('role-changed');
    await waitForDirectory(service, user._id, 3);
    expect((await patch({ ...user, role: 'admin' }, member._id, { bio: 'By the new administrator' })).status).toBe(200);
    await patch(admin, user._id, { role: 'member' });
  });

  it('accepts later sign-ins even if the clock of the pod that ended the sessions is ahead', async () => {
    const user = await createMember(service);
    const { now } = Date;
    Date.now = () => now() + 600_000;
    try {
      expect((await patch(admin, user._id, { role: 'project_manager' })).status).toBe(200);
    } finally {
      Date.now = now;
    }
    const token = await service.tokens.sign(user);
    const profile = await fetch(`${service.url}/api/users/profile`, { headers: { authorization: `Bearer ${token}` } });
    expect(profile.status).toBe(200);
  });

  it('rejects activating a user who has not accepted the invitation', async () => {
    const invitation = buildInvitation();
    await service.deliver(invitationCreated, invitation);
    const { status, body } = await patch(admin, invitation.userId, { status: 'active' });
    expect(status).toBe(409);
    expect(body).toMatchObject({ message: 'This person has not accepted the invitation yet' });
    expect((await patch(admin, invitation.userId, { status: 'inactive', role: 'project_manager' })).status).toBe(200);
  });
});

describe('the last active administrator', () => {
  const LAST = 'The last active administrator cannot be demoted or deactivated';

  it('can be neither demoted nor deactivated', async () => {
    for (const body of [{ role: 'member' }, { status: 'inactive' }]) {
      const response = await patch(admin, admin._id, body);
      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({ message: LAST });
    }
    expect((await patch(admin, admin._id, { role: 'admin', status: 'active', bio: 'Still here' })).status).toBe(200);
  });

  it('remains when the last two administrators deactivate or demote each other concurrently', async () => {
    for (let round = 0; round < 20; round += 1) {
      const other = await createRegisteredUser(service, { role: 'admin' });
      const change = round % 2 === 0 ? { role: 'member' } : { status: 'inactive' };
      const responses = await Promise.all([patch(admin, other._id, change), patch(other, admin._id, change)]);
      const statuses = responses.map(({ status }) => status).sort();
      // The administrator who lost the race may already be rejected as a caller.
      expect(statuses[0]).toBe(200);
      expect([401, 403, 409]).toContain(statuses[1]);
      const remainingAdmins = await service.query(
        `select id from users where role = 'admin' and status = 'active' and deleted_at is null`,
      );
      expect(remainingAdmins).toHaveLength(1);
      if (remainingAdmins[0]?.id !== admin._id) admin = other;
    }
  });

  it('can be deactivated if another active administrator exists', async () => {
    const other = await createRegisteredUser(service, { role: 'admin' });
    expect((await patch(other, other._id, { status: 'inactive' })).status).toBe(200);
  });
});

describe('every users endpoint', () => {
  it('rejects malformed JSON, oversized bodies, and other media types with a standard error', async () => {
    const call = (body: string, headers = {}) => service.call('PATCH', '/users/profile', { as: member, body, headers });
    const malformed = await call('{"bio":');
    expect(malformed.status).toBe(400);
    expect(malformed.body).toMatchObject({ code: 'invalid_json', requestId: expect.any(String) });
    expect((await call(JSON.stringify({ bio: 'x'.repeat(1_100_000) }))).status).toBe(413);
    expect((await call('bio=x', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });
});
