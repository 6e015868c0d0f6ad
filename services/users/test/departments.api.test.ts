import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aMember, aRegistered, inDatabase, type Person, startUsers } from './factories.ts';

let service: TestService;
let admin: Person;

beforeAll(async () => {
  service = await startUsers();
  admin = await aRegistered(service, { role: 'admin' });
});
afterAll(() => service.close());

type Department = { _id: string; name: string; employeeCount: number; isActive: boolean };
const list = async () => {
  const { body } = await service.call('GET', '/departments?limit=100', { as: admin });
  return (body as { data: Department[] }).data;
};

describe('GET /departments', () => {
  it('lists the seven of the settings form by name', async () => {
    const names = (await list()).map(({ name }) => name);
    expect(names).toEqual(['Design', 'Engineering', 'Finance', 'HR', 'Marketing', 'Product', 'Sales']);
  });

  it('counts the people in each who are not deleted', async () => {
    const people = [await aMember(service), await aMember(service), await aMember(service)];
    for (const as of people) await service.call('PATCH', '/users/profile', { as, body: { department: 'Design' } });
    await service.call('PATCH', `/users/${people[1]?._id}`, { as: admin, body: { status: 'inactive' } });
    await inDatabase(service, 'update users set deleted_at = now() where id = $1', [people[2]?._id]);
    expect((await list()).find(({ name }) => name === 'Design')).toMatchObject({ employeeCount: 2, isActive: true });
  });

  it('takes nobody new into an inactive one, and keeps who is there', async () => {
    const [inside, outside] = [await aMember(service), await aMember(service)];
    const move = (as: Person, body: unknown) => service.call('PATCH', '/users/profile', { as, body });
    await move(inside, { department: 'HR' });
    await inDatabase(service, `update departments set is_active = false where name = 'HR'`);
    expect((await move(outside, { department: 'HR' })).status).toBe(400);
    expect((await move(inside, { department: 'HR', bio: 'Stays' })).status).toBe(200);
  });

  it('pages and refuses the anonymous', async () => {
    const { body } = await service.call('GET', '/departments?limit=3&page=3', { as: admin });
    expect(body).toMatchObject({ total: 7, page: 3, totalPages: 3, data: [{ name: 'Sales' }] });
    expect((await service.call('GET', '/departments')).status).toBe(401);
  });
});
