import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember, startUsers, type TestUser, waitForDirectory } from './factories.ts';

const PATH = '/users/profile/notices';

let service: TestService;

beforeAll(async () => {
  service = await startUsers();
});
afterAll(() => service.close());

const read = (as: TestUser) => service.call('GET', `${PATH}/levels`, { as });
const set = (as: TestUser, path: string, level: string) =>
  service.call('PUT', `${PATH}/levels/${path}`, { as, body: { level } });

describe('the levels of projects and meetings', () => {
  it('are chosen one at a time, and published in the directory', async () => {
    const user = await createMember(service);
    const [project, meeting] = [newId(), newId()];
    expect((await read(user)).body).toEqual({ levels: [] });
    await set(user, `project/${project}`, 'none');
    await set(user, `meeting/${meeting}`, 'mentions');
    const { status, body } = await set(user, `project/${project}`, 'mentions');
    const levels = [
      { resource: 'meeting', id: meeting, level: 'mentions' },
      { resource: 'project', id: project, level: 'mentions' },
    ];
    expect([status, body, (await read(user)).body]).toEqual([200, { levels }, { levels }]);
    expect(await waitForDirectory(service, user._id, 5)).toMatchObject({ preferences: { noticeLevels: levels } });
    expect((await set(user, `meeting/${meeting}`, 'all')).body).toEqual({ levels: levels.slice(1) });
  });

  it('stay when other settings change', async () => {
    const user = await createMember(service);
    const project = newId();
    await set(user, `project/${project}`, 'none');
    await service.call('PATCH', PATH, { as: user, body: { digestTimes: ['09:00'] } });
    await service.call('PATCH', '/users/profile/preferences', { as: user, body: { reminderMinutes: 5 } });
    expect((await read(user)).body).toEqual({ levels: [{ resource: 'project', id: project, level: 'none' }] });
  });

  it('are limited in number', async () => {
    const user = await createMember(service);
    const many = Array.from({ length: 500 }, () => ({ resource: 'project', id: newId(), level: 'none' }));
    await service.query('update users set preferences = $2 where id = $1', [user._id, { noticeLevels: many }]);
    expect((await set(user, `project/${newId()}`, 'none')).status).toBe(409);
    expect((await set(user, `project/${many[0]?.id}`, 'mentions')).status).toBe(200);
  });

  it('are of projects and meetings only', async () => {
    const user = await createMember(service);
    expect((await set(user, `boat/${newId()}`, 'none')).status).toBe(404);
    expect((await set(user, `project/${newId()}`, 'loud')).status).toBe(400);
    expect((await service.call('GET', `${PATH}/levels`)).status).toBe(401);
    expect((await service.call('PUT', `${PATH}/levels/project/${newId()}`, { body: { level: 'all' } })).status).toBe(
      401,
    );
  });
});
