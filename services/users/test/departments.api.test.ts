import { departmentCreated, departmentDeleted, departmentUpdated } from '@atrium/proto-events/events/users';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember, createRegisteredUser, startUsers, type TestUser } from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
const DENIED = 'Only administrators can change departments';
const TAKEN = 'A department with this name already exists';
let service: TestService;
let admin: TestUser;
let member: TestUser;

beforeAll(async () => {
  service = await startUsers();
  admin = await createRegisteredUser(service, { role: 'admin' });
  member = await createMember(service);
});
afterAll(() => service.close());

type Department = { _id: string; name: string; employeeCount: number; isActive: boolean; version: number };
const call = (method: string, path: string, body?: unknown, as: TestUser = admin) =>
  service.call(method, `/departments${path}`, { as, ...(body !== undefined && { body }) });
const list = async (query = 'limit=100') =>
  (await call('GET', `?${query}`)).body as { data: Department[]; total: number };
const create = async (name: string) => (await call('POST', '', { name })).body as Department;
const joinDepartment = (as: TestUser, department: string | null) =>
  service.call('PATCH', '/users/profile', { as, body: { department } });
const waitForDirectory = (id: string, version: number) =>
  waitFor(
    () => {
      const department = service.running.directory.department(id);
      return department && department.version >= version ? department : undefined;
    },
    { description: `version ${version} of the department in the directory` },
  );

describe('GET /departments', () => {
  it('lists the seven default departments by name', async () => {
    const names = (await list()).data.map(({ name }) => name);
    expect(names).toEqual(['Design', 'Engineering', 'Finance', 'HR', 'Marketing', 'Product', 'Sales']);
  });

  it('counts the users in each department except deleted ones', async () => {
    const users = [await createMember(service), await createMember(service), await createMember(service)];
    for (const as of users) await joinDepartment(as, 'Design');
    await service.call('PATCH', `/users/${users[1]?._id}`, { as: admin, body: { status: 'inactive' } });
    await service.call('DELETE', `/users/${users[2]?._id}`, { as: admin });
    const { data } = await list();
    expect(data.find(({ name }) => name === 'Design')).toMatchObject({ employeeCount: 2, isActive: true });
  });

  it('searches for part of the name literally, ignoring case and unknown parameters', async () => {
    expect((await list('search=ING&_t=1763712000000')).data.map(({ name }) => name)).toEqual([
      'Engineering',
      'Marketing',
    ]);
    expect((await list('search=%25')).total).toBe(0);
    expect((await list('search=k\u00e9ting')).data.map(({ name }) => name)).toEqual(['Marketing']);
  });

  it('paginates, and rejects pages out of range and anonymous callers', async () => {
    const { body } = await call('GET', '?limit=3&page=3');
    expect(body).toMatchObject({ total: 7, page: 3, totalPages: 3, data: [{ name: 'Sales' }] });
    expect((await call('GET', '?limit=100&page=101')).status).toBe(400);
    expect((await service.call('GET', '/departments')).status).toBe(401);
  });
});

describe('GET /departments/stats', () => {
  it('counts departments, active departments, and their users', async () => {
    const readStats = async () => (await call('GET', '/stats', undefined, member)).body as Record<string, number>;
    const statsBefore = await readStats();
    const { _id } = await create('Counted');
    await joinDepartment(await createMember(service), 'Counted');
    await call('PATCH', `/${_id}`, { isActive: false });
    expect(await readStats()).toEqual({
      total: (statsBefore.total ?? 0) + 1,
      active: statsBefore.active,
      employees: (statsBefore.employees ?? 0) + 1,
    });
    expect((await service.call('GET', '/departments/stats')).status).toBe(401);
  });
});

describe('POST /departments', () => {
  it('creates a department and publishes it as an event and in the directory', async () => {
    const { status, body } = await call('POST', '', { name: '  Research  ', isActive: false });
    expect(status).toBe(201);
    expect(body).toEqual({ _id: expect.any(String), name: 'Research', employeeCount: 0, isActive: true, version: 1 });
    const { _id } = body as Department;
    const event = await service.waitForEvent(departmentCreated, ({ departmentId }) => departmentId === _id);
    expect(event).toMatchObject({ actorId: admin._id, data: { name: 'Research', isActive: true, version: 1 } });
    expect(await waitForDirectory(_id, 1)).toEqual({ _id, name: 'Research', isActive: true, version: 1 });
  });

  it.each([[{}], [{ name: '' }], [{ name: ' \t' }], [{ name: 7 }]])('rejects %j', async (invalidBody) => {
    const { status, body } = await call('POST', '', invalidBody);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      message: ['Department name is required'],
      errors: [{ path: 'body.name', message: 'Department name is required' }],
    });
  });

  it('rejects a taken name regardless of case, normal form, and spaces', async () => {
    await create('Überblick');
    await create('Café Nord');
    expect((await call('POST', '', { name: 'CAFE\u0301  \u00a0nord' })).status).toBe(409);
    for (const name of [
      'Überblick',
      ' überBLICK ',
      'ÜBERBLICK\n',
      'U\u0308berblick',
      'Über\u00adblick',
      'Ｕ\u0308berblick',
    ]) {
      const { status, body } = await call('POST', '', { name });
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'conflict', message: TAKEN });
    }
  });

  it('creates one department for concurrent requests with the same name', async () => {
    for (let round = 0; round < 10; round += 1) {
      const names = [`Twice ${round}`, `TWICE ${round}`, ` twice ${round}`, `Twice ${round} `];
      const statuses = (await Promise.all(names.map((name) => call('POST', '', { name })))).map(({ status }) => status);
      expect(statuses.sort()).toEqual([201, 409, 409, 409]);
      expect((await list(`search=twice ${round}`)).total).toBe(1);
    }
  });

  it('rejects callers who are not administrators', async () => {
    const manager = await createMember(service, { role: 'project_manager' });
    for (const as of [member, manager]) {
      const { status, body } = await call('POST', '', { name: 'Mine' }, as);
      expect(status).toBe(403);
      expect(body).toMatchObject({ message: DENIED });
    }
    expect((await service.call('POST', '/departments', { body: { name: 'Mine' } })).status).toBe(401);
  });
});

describe('GET /departments/:id', () => {
  it('returns a department to every signed-in user', async () => {
    const department = await create('Single');
    expect(await call('GET', `/${department._id}`, undefined, member)).toMatchObject({ status: 200, body: department });
    expect((await call('GET', `/${UNKNOWN}`)).status).toBe(404);
    expect((await call('GET', '/nonsense')).status).toBe(404);
    expect((await service.call('GET', `/departments/${department._id}`)).status).toBe(401);
  });
});

describe('PATCH /departments/:id', () => {
  it('renames a department, updates its users, and publishes events', async () => {
    const { _id } = await create('Old name');
    const user = await createMember(service);
    await joinDepartment(user, _id);
    const { status, body } = await call('PATCH', `/${_id}`, { name: ' New name ', version: 1 });
    expect(status).toBe(200);
    expect(body).toEqual({ _id, name: 'New name', employeeCount: 1, isActive: true, version: 2 });
    const event = await service.waitForEvent(departmentUpdated, ({ departmentId }) => departmentId === _id);
    expect(event).toMatchObject({ actorId: admin._id, data: { name: 'New name', version: 2, changed: ['name'] } });
    await waitForDirectory(_id, 2);
    expect(service.running.directory.summary(user._id).department).toEqual({ _id, name: 'New name' });
    expect((await call('PATCH', `/${_id}`, { name: 'NEW name' })).body).toMatchObject({ name: 'NEW name', version: 3 });
  });

  it('deactivates and reactivates a department', async () => {
    const { _id } = await create('Temporary');
    expect((await call('PATCH', `/${_id}`, { isActive: false })).body).toMatchObject({ isActive: false, version: 2 });
    expect((await joinDepartment(member, _id)).status).toBe(400);
    expect((await call('PATCH', `/${_id}`, { isActive: true })).body).toMatchObject({ isActive: true, version: 3 });
    expect((await joinDepartment(member, _id)).status).toBe(200);
    const event = await service.waitForEvent(
      departmentUpdated,
      (data) => data.departmentId === _id && data.version === 3,
    );
    expect(event.data).toMatchObject({ isActive: true, changed: ['isActive'] });
    expect((await call('PATCH', `/${_id}`, { isActive: true })).body).toMatchObject({ version: 3 });
    await joinDepartment(member, null);
  });

  it('responds to a stale version with the current department', async () => {
    const { _id } = await create('Contested');
    await call('PATCH', `/${_id}`, { name: 'Contested once', version: 1 });
    const { status, body } = await call('PATCH', `/${_id}`, { name: 'Contested twice', version: 1 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'stale_version', current: { _id, name: 'Contested once', version: 2 } });
  });

  it('rejects an empty or taken name', async () => {
    const { _id } = await create('Renamed');
    const emptyNameResponse = await call('PATCH', `/${_id}`, { name: ' ' });
    expect(emptyNameResponse).toMatchObject({ status: 400, body: { message: ['Department name is required'] } });
    const takenNameResponse = await call('PATCH', `/${_id}`, { name: ' SALES ' });
    expect(takenNameResponse).toMatchObject({ status: 409, body: { code: 'conflict', message: TAKEN } });
  });

  it('rejects callers who are not administrators', async () => {
    const { _id } = await create('Guarded');
    const body = { name: 'Mine' };
    expect(await call('PATCH', `/${_id}`, body, member)).toMatchObject({ status: 403, body: { message: DENIED } });
    expect((await call('PATCH', `/${UNKNOWN}`, body, member)).status).toBe(404);
    expect((await call('PATCH', `/${UNKNOWN}`, body)).status).toBe(404);
    expect((await call('PATCH', '/nonsense', body)).status).toBe(404);
    expect((await service.call('PATCH', `/departments/${_id}`, { body })).status).toBe(401);
  });
});

describe('DELETE /departments/:id', () => {
  it('deletes an empty department and publishes an event', async () => {
    const { _id } = await create('Empty');
    const { status, body } = await call('DELETE', `/${_id}`);
    expect(status).toBe(204);
    expect(body).toBe('');
    expect((await call('GET', `/${_id}`)).status).toBe(404);
    const event = await service.waitForEvent(departmentDeleted, ({ departmentId }) => departmentId === _id);
    expect(event).toMatchObject({ actorId: admin._id, data: { name: 'Empty', version: 2 } });
    expect(await waitForDirectory(_id, 2)).toMatchObject({ isActive: false });
    expect((await call('DELETE', `/${_id}`)).status).toBe(404);
    expect((await call('POST', '', { name: 'Empty' })).status).toBe(201);
  });

  it('deactivates a department with employees and returns it', async () => {
    const { _id } = await create('Peopled');
    const user = await createMember(service);
    await joinDepartment(user, _id);
    const { status, body } = await call('DELETE', `/${_id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ _id, name: 'Peopled', employeeCount: 1, isActive: false, version: 2 });
    const event = await service.waitForEvent(departmentUpdated, ({ departmentId }) => departmentId === _id);
    expect(event.data).toMatchObject({ isActive: false, changed: ['isActive'] });
    expect((await call('DELETE', `/${_id}`)).body).toMatchObject({ isActive: false, version: 2 });
    expect((await service.call('PATCH', '/users/profile', { as: user, body: { bio: 'Stays' } })).body).toMatchObject({
      department: { _id, name: 'Peopled' },
    });
  });

  it('deletes a department whose users were all deleted', async () => {
    const { _id } = await create('Left alone');
    const user = await createMember(service);
    await joinDepartment(user, _id);
    await service.call('DELETE', `/users/${user._id}`, { as: admin });
    expect((await call('DELETE', `/${_id}`)).status).toBe(204);
  });

  it('does not delete a department while a user is assigned to it', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { _id } = await create(`Contested ${round}`);
      const user = await createMember(service);
      const [deleteResponse, joinResponse] = await Promise.all([call('DELETE', `/${_id}`), joinDepartment(user, _id)]);
      const remainingDepartment = (await call('GET', `/${_id}`)).body as Department;
      if (deleteResponse.status === 204) expect(joinResponse.status).toBe(400);
      else {
        expect([deleteResponse.status, joinResponse.status]).toEqual([200, 200]);
        expect(remainingDepartment).toMatchObject({ isActive: false, employeeCount: 1 });
      }
    }
  });

  it('rejects callers who are not administrators', async () => {
    const { _id } = await create('Kept');
    expect(await call('DELETE', `/${_id}`, undefined, member)).toMatchObject({
      status: 403,
      body: { message: DENIED },
    });
    expect((await call('DELETE', `/${UNKNOWN}`, undefined, member)).status).toBe(404);
    expect((await call('DELETE', `/${UNKNOWN}`)).status).toBe(404);
    expect((await call('DELETE', '/nonsense')).status).toBe(404);
    expect((await service.call('DELETE', `/departments/${_id}`)).status).toBe(401);
  });
});

describe('assigning a user to a department', () => {
  it('rejects an inactive department, and keeps its current users', async () => {
    const employee = await createMember(service);
    const otherMember = await createMember(service);
    await joinDepartment(employee, 'HR');
    await service.query(`update departments set is_active = false where name = 'HR'`);
    expect((await joinDepartment(otherMember, 'HR')).status).toBe(400);
    expect((await joinDepartment(employee, 'HR')).status).toBe(200);
  });
});

it('POST /departments creates one department for a retry with the same key, and rejects the name with a different key', async () => {
  const createWithKey = (key: string) =>
    service.call('POST', '/departments', {
      as: admin,
      headers: { 'idempotency-key': key },
      body: { name: 'Retried department' },
    });
  const first = await createWithKey('retry-1');
  const retry = await createWithKey('retry-1');
  expect([first.status, retry.status]).toEqual([201, 201]);
  expect(retry.body).toEqual(first.body);
  expect((await createWithKey('retry-2')).status).toBe(409);
});
