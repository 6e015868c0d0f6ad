import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember, createRegisteredUser, startUsers, type TestUser } from './factories.ts';

let service: TestService;
let admin: TestUser;
let member: TestUser;

beforeAll(async () => {
  service = await startUsers();
  admin = await createRegisteredUser(service, { role: 'admin' });
  member = await createMember(service);
});
afterAll(() => service.close());

const readHistory = (timezone: string, as = admin) =>
  service.call('GET', `/users/stats/history?${new URLSearchParams({ timezone })}`, { as });

describe('GET /users/stats/history', () => {
  it('counts people by the day on which they were added in the time zone, with their current status', async () => {
    const ids = [admin, member, ...(await Promise.all([1, 2, 3, 4].map(() => createMember(service))))].map(
      ({ _id }) => _id,
    );
    const set = (index: number, values: string) =>
      service.query(`update users set ${values} where id = $1`, [ids[index]]);
    await service.query(`update users set join_date = '2026-10-01T12:00:00Z'`);
    // On the next day in Kathmandu, and on the previous one in Honolulu.
    await set(2, `join_date = '2026-10-01T20:00:00Z'`);
    await set(3, `join_date = '2026-10-01T05:00:00Z', status = 'inactive', invited = true`);
    await set(4, `status = 'inactive', invited = false`);
    await set(5, 'deleted_at = now()');
    const day = (day: string, active: number, invited: number, inactive: number) => ({
      day,
      active,
      invited,
      inactive,
    });
    expect((await readHistory('UTC')).body).toEqual({ days: [day('2026-10-01', 3, 1, 1)] });
    expect((await readHistory('Asia/Kathmandu')).body).toEqual({
      days: [day('2026-10-01', 2, 1, 1), day('2026-10-02', 1, 0, 0)],
    });
    expect((await readHistory('Pacific/Honolulu')).body).toEqual({
      days: [day('2026-09-30', 0, 1, 0), day('2026-10-01', 3, 0, 1)],
    });
  });

  it('is for administrators only, and rejects unknown time zones', async () => {
    expect((await readHistory('UTC', member)).status).toBe(403);
    expect((await readHistory('Mars/Olympus')).status).toBe(400);
    expect((await service.call('GET', '/users/stats/history')).status).toBe(401);
  });
});
