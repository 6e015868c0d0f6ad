import { userUpdated } from '@atrium/proto-events/events/users';
import { DEFAULT_PREFERENCES, resolvePreferences } from '@atrium/proto-events/preferences';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDirectory } from '../src/directory/sync-directory.ts';
import { createMember, createRegisteredUser, startUsers, type TestUser, waitForDirectory } from './factories.ts';

const PATH = '/users/profile/preferences';

async function republish(): Promise<number> {
  const db = createDb(service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
  const queuedCount = await reconcileDirectory({ db, directory: service.running.directory });
  db.notifyCommitted();
  await db.pool.end();
  return queuedCount;
}
const NIGHTS = Array.from({ length: 7 }, (_, day) => (day === 2 ? null : { start: '20:00', end: '24:00' }));

let service: TestService;
let member: TestUser;

beforeAll(async () => {
  service = await startUsers();
  member = await createMember(service);
});
afterAll(() => service.close());

const readPreferences = (as: TestUser) => service.call('GET', PATH, { as });
const changePreferences = (as: TestUser, body: unknown) => service.call('PATCH', PATH, { as, body });

describe('preferences', () => {
  it('default to working hours from 8 to 18 on weekdays and a 15-minute reminder, without a directory entry', async () => {
    expect(await readPreferences(member)).toMatchObject({ status: 200, body: { ...DEFAULT_PREFERENCES, version: 2 } });
    expect(service.running.directory.user(member._id)).not.toHaveProperty('preferences');
    expect((await service.call('GET', PATH)).status).toBe(401);
    expect((await service.call('PATCH', PATH, { body: {} })).status).toBe(401);
  });

  it('can be changed individually by their owner, and are published in the directory and as events', async () => {
    const user = await createMember(service);
    expect(await changePreferences(user, { reminderMinutes: null })).toMatchObject({
      status: 200,
      body: { ...DEFAULT_PREFERENCES, reminderMinutes: null, version: 3 },
    });
    const { body } = await changePreferences(user, { workingHours: NIGHTS, version: 3 });
    expect(body).toEqual({ workingHours: NIGHTS, reminderMinutes: null, version: 4 });
    const directoryEntry = await waitForDirectory(service, user._id, 4);
    expect(resolvePreferences(directoryEntry)).toEqual({ workingHours: NIGHTS, reminderMinutes: null });
    const event = await service.waitForEvent(
      userUpdated,
      ({ userId, version }) => userId === user._id && version === 4,
    );
    expect(event).toMatchObject({ actorId: user._id, data: { changed: ['preferences'] } });
  });

  it('are included in no user response', async () => {
    const user = await createMember(service);
    await changePreferences(user, { reminderMinutes: 60 });
    const responses = await Promise.all([
      service.call('GET', '/users/profile', { as: user }),
      service.call('GET', `/users/${user._id}`, { as: member }),
      service.call('GET', '/users?limit=100', { as: { ...member, role: 'admin' } }),
    ]);
    for (const { body } of responses)
      expect(JSON.stringify(body)).not.toMatch(/preferences|workingHours|reminderMinutes/);
    expect((await readPreferences(member)).body).toMatchObject({ reminderMinutes: 15 });
  });

  it('ignore unchanged values and respond to a stale version with the current preferences', async () => {
    const user = await createMember(service);
    expect((await changePreferences(user, { ...DEFAULT_PREFERENCES })).body).toMatchObject({ version: 2 });
    await changePreferences(user, { reminderMinutes: 5 });
    expect((await changePreferences(user, { reminderMinutes: 5 })).body).toMatchObject({ version: 3 });
    expect(await changePreferences(user, { reminderMinutes: 10, version: 2 })).toMatchObject({
      status: 409,
      body: { code: 'stale_version', current: { reminderMinutes: 5, version: 3 } },
    });
  });

  it('can be reset to the defaults', async () => {
    const user = await createMember(service);
    await changePreferences(user, { reminderMinutes: 0, workingHours: NIGHTS });
    await changePreferences(user, { ...DEFAULT_PREFERENCES });
    expect((await readPreferences(user)).body).toMatchObject(DEFAULT_PREFERENCES);
  });

  it.each([
    [{ reminderMinutes: -1 }, 'A reminder comes at most a day before a meeting'],
    [{ reminderMinutes: 1_441 }, 'A reminder comes at most a day before a meeting'],
    [{ workingHours: NIGHTS.slice(1) }, 'Working hours are those of seven days'],
    [{ workingHours: NIGHTS.map(() => ({ start: '18:00', end: '08:00' })) }, 'End time must be after start time'],
    [{ workingHours: NIGHTS.map(() => ({ start: '8:00', end: '18:00' })) }, 'Please enter a time as HH:MM'],
    [{ workingHours: NIGHTS.map(() => ({ start: '24:00', end: '24:00' })) }, 'Please enter a time as HH:MM'],
  ])('rejects %j', async (body, message) => {
    const response = await changePreferences(member, body);
    expect(response.status).toBe(400);
    expect((response.body as { message: string[] }).message).toContain(message);
  });

  it('are deleted with the user', async () => {
    const user = await createMember(service);
    await changePreferences(user, { reminderMinutes: 5 });
    const admin = await createRegisteredUser(service, { role: 'admin' });
    expect((await service.call('DELETE', `/users/${user._id}`, { as: admin })).status).toBe(204);
    const directoryEntry = await waitForDirectory(service, user._id, 4);
    expect(directoryEntry).toMatchObject({ deleted: true });
    expect(directoryEntry).not.toHaveProperty('preferences');
    expect((await readPreferences(user)).status).toBe(401);
  });

  it('are republished if the directory entry is older than the row, for example after a restore', async () => {
    const user = await createMember(service);
    await changePreferences(user, { reminderMinutes: 5 });
    await waitForDirectory(service, user._id, 3);
    await service.query(`update users set version = 4, preferences = '{"reminderMinutes": 10}' where id = $1`, [
      user._id,
    ]);
    expect(await republish()).toBe(1);
    expect(await waitForDirectory(service, user._id, 4)).toMatchObject({ preferences: { reminderMinutes: 10 } });
  });
});
