import { readFile } from 'node:fs/promises';
import { emailsUnsubscribed } from '@atrium/proto-events/events/notifications';
import { type ChannelChoice, DEFAULT_CHANNELS, DEFAULT_NOTICE_SETTINGS } from '@atrium/proto-events/notices/kinds';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMember, startUsers, type TestUser, waitForDirectory } from './factories.ts';

const PATH = '/users/profile/notices';
const SILENT: ChannelChoice = { app: true, push: false, email: 'off' };

let service: TestService;

beforeAll(async () => {
  service = await startUsers();
});
afterAll(() => service.close());

const read = (as: TestUser) => service.call('GET', PATH, { as });
const change = (as: TestUser, body: unknown) => service.call('PATCH', PATH, { as, body });
const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString();
const withChannels = (channels: Record<string, ChannelChoice>) => ({
  ...DEFAULT_NOTICE_SETTINGS,
  channels: { ...DEFAULT_CHANNELS, ...channels },
});

describe('settings of notifications', () => {
  it('have defaults, which the directory does not contain', async () => {
    const user = await createMember(service);
    expect(await read(user)).toEqual(
      expect.objectContaining({ status: 200, body: { ...DEFAULT_NOTICE_SETTINGS, version: 2 } }),
    );
    expect(service.running.directory.user(user._id)).not.toHaveProperty('preferences');
    expect((await service.call('GET', PATH)).status).toBe(401);
    expect((await service.call('PATCH', PATH, { body: {} })).status).toBe(401);
  });

  it('can be changed individually, and are published in the directory', async () => {
    const user = await createMember(service);
    expect((await change(user, { channels: { mention: SILENT } })).body).toEqual({
      ...withChannels({ mention: SILENT }),
      version: 3,
    });
    const quietHours = { start: '22:00', end: '07:00' };
    const { body } = await change(user, { channels: { reaction: SILENT, task_due: SILENT }, quietHours, version: 3 });
    const expected = { ...withChannels({ mention: SILENT, task_due: SILENT }), quietHours };
    expect(body).toEqual({ ...expected, version: 4 });
    expect(await waitForDirectory(service, user._id, 4)).toMatchObject({
      preferences: { notices: { channels: { mention: SILENT, task_due: SILENT }, quietHours } },
    });
    expect((await read(user)).body).toEqual({ ...expected, version: 4 });
  });

  it('are changed by a link in an email, for its kinds only', async () => {
    const [user, other] = [await createMember(service), await createMember(service)];
    const data = { userId: user._id, kinds: ['mention' as const, 'security' as const] };
    await service.deliver(emailsUnsubscribed, data, 2, user._id);
    await service.deliver(emailsUnsubscribed, { ...data, userId: newId() }, 1);
    const mention = { ...DEFAULT_CHANNELS.mention, email: 'off' as const };
    expect((await read(user)).body).toEqual({ ...withChannels({ mention }), version: 3 });
    expect(await waitForDirectory(service, user._id, 3)).toMatchObject({
      preferences: { notices: { channels: { mention } } },
    });
    expect((await read(other)).body).toEqual({ ...DEFAULT_NOTICE_SETTINGS, version: 2 });
  });

  it('leave the other preferences as they are', async () => {
    const user = await createMember(service);
    await service.call('PATCH', '/users/profile/preferences', { as: user, body: { reminderMinutes: 5 } });
    await change(user, { digestTimes: ['07:00', '16:30'] });
    await service.call('PATCH', '/users/profile/preferences', { as: user, body: { reminderMinutes: 10 } });
    expect((await read(user)).body).toMatchObject({ digestTimes: ['07:00', '16:30'], version: 5 });
    expect((await service.call('GET', '/users/profile/preferences', { as: user })).body).toMatchObject({
      reminderMinutes: 10,
    });
  });

  it('can be reset to the defaults', async () => {
    const user = await createMember(service);
    const quietHours = { start: '12:00', end: '13:00' };
    const changes = { channels: { mention: SILENT }, pausedUntil: inDays(29), quietHours };
    expect((await change(user, changes)).body).toMatchObject({ pausedUntil: changes.pausedUntil, quietHours });
    const { mention } = DEFAULT_CHANNELS;
    const { body } = await change(user, { channels: { mention }, pausedUntil: null, quietHours: null });
    expect(body).toMatchObject(DEFAULT_NOTICE_SETTINGS);
    const entry = await waitForDirectory(service, user._id, 4);
    expect(entry).toMatchObject({ preferences: { notices: {} } });
  });

  it('ignore unchanged values, and respond to a stale version with the current settings', async () => {
    const user = await createMember(service);
    await change(user, { digestTimes: ['07:00'] });
    expect((await change(user, { digestTimes: ['07:00'] })).body).toMatchObject({ version: 3 });
    expect(await change(user, { digestTimes: ['09:00'], version: 2 })).toMatchObject({
      status: 409,
      body: { code: 'stale_version', current: { digestTimes: ['07:00'], version: 3 } },
    });
  });

  it.each([
    ['changes of mandatory kinds', { channels: { security: SILENT } }, 'Account security cannot be changed'],
    ['times out of order', { digestTimes: ['17:00', '08:00'] }, 'Times must be in order'],
    ['invalid times', { quietHours: { start: '25:00', end: '07:00' } }, 'Please enter a time as HH:MM'],
    ['long pauses', { pausedUntil: inDays(31) }, 'A pause can last at most 30 days'],
  ])('reject %s', async (_, body, message) => {
    const user = await createMember(service);
    const response = await change(user, body);
    expect(response.status).toBe(400);
    expect((response.body as { message: string[] }).message).toContain(message);
    expect((await read(user)).body).toMatchObject({ ...DEFAULT_NOTICE_SETTINGS, version: 2 });
  });

  it('are migrated from the preference for emails about tasks', async () => {
    const migration = await readMigration();
    const [silent, loud] = [await createMember(service), await createMember(service)];
    const store = (user: TestUser, taskEmails: boolean) =>
      service.query('update users set preferences = $2 where id = $1', [user._id, { taskEmails, reminderMinutes: 5 }]);
    await store(silent, false);
    await store(loud, true);
    await service.query(migration);
    const off = (kind: 'mention' | 'task_assigned' | 'task_comment' | 'task_changed') => ({
      [kind]: { ...DEFAULT_CHANNELS[kind], email: 'off' as const },
    });
    expect((await read(silent)).body).toEqual({
      ...withChannels({ ...off('task_assigned'), ...off('mention'), ...off('task_comment'), ...off('task_changed') }),
      version: 3,
    });
    expect((await read(loud)).body).toEqual({ ...DEFAULT_NOTICE_SETTINGS, version: 3 });
  });
});

const readMigration = () => readFile(new URL('../migrations/0004_notices.sql', import.meta.url), 'utf8');
