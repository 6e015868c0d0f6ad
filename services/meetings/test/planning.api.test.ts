import { DEFAULT_PREFERENCES } from '@atrium/proto-events/preferences';
import { buildUser } from '@atrium/test-kit/build-user';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { berlin, berlinDay, startMeetings, type TestUserName } from './factories.ts';

type Busy = { person: string; busy: { start: string; end: string }[] };
type Free = { data: { start: string; end: string }[]; message: string | null };

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

/** Returns a time on a Tuesday of a future year in Berlin. Each test uses its own week. */
const tuesday = (week: number, time: string) => {
  const day = new Date(Date.UTC(2031, 0, 7 + week * 7)).toISOString().slice(0, 10);
  return berlin(`${day}T${time}`);
};
const secret = { title: 'Zebra merger', description: 'Zebra plan', agenda: 'Zebra', location: 'Zebra room' };
const scheduleHour = (startTime: string, overrides: Record<string, unknown> = {}) =>
  api.scheduleMeeting({ ...secret, startTime, ...overrides });

const listBusy = async (as: TestUserName, userIds: readonly string[], week: number, overrides: object = {}) => {
  const body = { people: userIds, from: tuesday(week, '00:00'), to: tuesday(week, '23:59'), ...overrides };
  return api.service.call('POST', '/meetings/busy', { as: api.users[as], body });
};
const findFree = async (as: TestUserName, userIds: readonly string[], from: string) => {
  const body = { people: userIds, from, durationMinutes: 60 };
  const response = await api.service.call('POST', '/meetings/free-times', { as: api.users[as], body });
  expect(response.status).toBe(200);
  return response.body as Free;
};

describe('POST /meetings/busy', () => {
  it.each(['admin', 'organizer', 'manager', 'invitee', 'second', 'stranger'] as const)(
    'returns only start and end of meetings to %s, even of their own',
    async (who) => {
      const { invitee, organizer } = api.users;
      const week = 1;
      const start = tuesday(week, '10:00');
      if (who === 'admin') await scheduleHour(start);
      const { status, body } = await listBusy(who, [invitee._id, organizer._id], week);
      expect(status).toBe(200);
      const hours = [{ start, end: tuesday(week, '11:00') }];
      // The strings are compared to detect additional fields.
      expect(JSON.stringify(body)).toBe(
        JSON.stringify({
          data: [
            { person: invitee._id, busy: hours },
            { person: organizer._id, busy: hours },
          ],
        }),
      );
    },
  );

  it('merges overlapping and adjacent meetings', async () => {
    const week = 2;
    await scheduleHour(tuesday(week, '10:00'));
    await scheduleHour(tuesday(week, '10:30'));
    await scheduleHour(tuesday(week, '11:30'));
    const { body } = await listBusy('stranger', [api.users.invitee._id], week);
    const merged = { start: tuesday(week, '10:00'), end: tuesday(week, '12:30') };
    expect(body).toEqual({ data: [{ person: api.users.invitee._id, busy: [merged] }] });
  });

  it('excludes declined meetings until they are accepted', async () => {
    const week = 3;
    const { invitee, organizer } = api.users;
    const meeting = await scheduleHour(tuesday(week, '10:00'));
    const countBusy = async (id: string) =>
      ((await listBusy('stranger', [id], week)).body as { data: Busy[] }).data[0]?.busy.length;
    expect(await countBusy(invitee._id)).toBe(1);
    await api.respond('invitee', meeting._id, 'declined');
    expect([await countBusy(invitee._id), await countBusy(organizer._id)]).toEqual([0, 1]);
    await api.respond('invitee', meeting._id, 'tentative');
    expect(await countBusy(invitee._id)).toBe(1);
  });

  it('excludes the given meeting only for callers who can see it', async () => {
    const week = 4;
    const { invitee } = api.users;
    const { _id: except } = await scheduleHour(tuesday(week, '10:00'));
    const isExcluded = async (who: TestUserName) =>
      ((await listBusy(who, [invitee._id], week, { except })).body as { data: Busy[] }).data[0]?.busy.length === 0;
    expect(
      await Promise.all((['admin', 'organizer', 'invitee', 'stranger', 'manager'] as const).map(isExcluded)),
    ).toEqual([true, true, true, false, false]);
  });

  it('returns each active user once and omits others', async () => {
    const { invitee, inactive } = api.users;
    const { body } = await listBusy('stranger', [invitee._id, inactive._id, 'f'.repeat(24), invitee._id], 5);
    expect(body).toEqual({ data: [{ person: invitee._id, busy: [] }] });
  });

  it.each([
    ['an empty list of people', { people: [] }, 'At least one person is required'],
    [
      'more than 500 people',
      { people: Array.from({ length: 501 }, () => 'a'.repeat(24)) },
      'Busy times can be shown for at most 500 people',
    ],
    ['an end before the start', { to: '2030-01-01T00:00:00Z' }, 'End time must be after start time'],
    ['more than 62 days', { to: '2032-01-01T00:00:00Z' }, 'Busy times can be shown for at most 62 days'],
    ['an invalid start', { from: 'soon' }, 'Start time is required'],
  ])('rejects %s', async (_name, overrides, message) => {
    const { status, body } = await listBusy('stranger', [api.users.invitee._id], 6, overrides);
    expect(status).toBe(400);
    expect((body as { message: string[] }).message).toContain(message);
  });

  it('rejects anonymous callers', async () => {
    const body = { people: [api.users.invitee._id], from: tuesday(1, '00:00'), to: tuesday(1, '23:00') };
    expect((await api.service.call('POST', '/meetings/busy', { body })).status).toBe(401);
  });
});

describe('POST /meetings/free-times', () => {
  it('rejects anonymous callers, and durations below 5 minutes', async () => {
    const body = { people: [api.users.invitee._id], from: tuesday(1, '00:00'), durationMinutes: 60 };
    expect((await api.service.call('POST', '/meetings/free-times', { body })).status).toBe(401);
    const tooShort = await api.service.call('POST', '/meetings/free-times', {
      as: api.users.stranger,
      body: { ...body, durationMinutes: 4 },
    });
    expect(tooShort).toMatchObject({
      status: 400,
      body: { message: ['A meeting must last between 5 minutes and 24 hours'] },
    });
  });

  it('returns the next three times when all users are free and within working hours in their zones', async () => {
    const week = 20;
    const berliner = buildUser({ timezone: 'Europe/Berlin' });
    const yorker = buildUser({ timezone: 'America/New_York' });
    api.service.addToDirectory(berliner, yorker);
    // Working hours in New York start at 14:00 in Berlin, where they end at 18:00.
    await scheduleHour(tuesday(week, '14:30'), { participants: [yorker._id] });
    const result = await findFree('stranger', [berliner._id, yorker._id], tuesday(week, '06:00'));
    const wednesday = (time: string) => addDays(tuesday(week, time), 1);
    expect(result).toEqual({
      data: [
        { start: tuesday(week, '15:30'), end: tuesday(week, '16:30') },
        { start: tuesday(week, '16:30'), end: tuesday(week, '17:30') },
        { start: wednesday('14:00'), end: wednesday('15:00') },
      ],
      message: null,
    });
  });

  it('respects working hours without revealing them', async () => {
    const week = 11;
    const workingHours = DEFAULT_PREFERENCES.workingHours.map((_, day) =>
      day === 1 ? { start: '11:15', end: '13:15' } : null,
    );
    const morningUser = buildUser({ timezone: 'Europe/Berlin', preferences: { workingHours } });
    api.service.addToDirectory(morningUser);
    const result = await findFree('second', [morningUser._id], tuesday(week, '06:00'));
    expect(result.data.map(({ start }) => start)).toEqual([
      tuesday(week, '11:15'),
      tuesday(week, '12:15'),
      tuesday(week + 1, '11:15'),
    ]);
    expect(JSON.stringify(result)).not.toMatch(/workingHours|13:15/);
  });

  it('explains that there are no common working hours or no free times', async () => {
    const west = buildUser({ timezone: 'America/Los_Angeles' });
    const east = buildUser({ timezone: 'Asia/Kathmandu' });
    api.service.addToDirectory(west, east);
    expect(await findFree('second', [west._id, east._id], tuesday(12, '06:00'))).toEqual({
      data: [],
      message: 'Within the next 14 days there is no time of that length within everybody’s working hours.',
    });
    const busyUser = buildUser({ timezone: 'Europe/Berlin' });
    api.service.addToDirectory(busyUser);
    const startTime = berlinDay(1, '00:00');
    const endTime = berlinDay(2, '00:00');
    const everyDay = { isRecurring: true, recurringFrequency: 'daily', recurringEndDate: berlinDay(17).slice(0, 10) };
    await api.scheduleMeeting({ startTime, endTime, ...everyDay, participants: [busyUser._id] });
    expect(await findFree('second', [busyUser._id], startTime)).toEqual({
      data: [],
      message: 'Within the next 14 days there is no time of that length when everybody is free.',
    });
  });

  it('starts now if the requested start is in the past', async () => {
    const always = { workingHours: Array.from({ length: 7 }, () => ({ start: '00:00', end: '24:00' })) };
    const user = buildUser({ preferences: always });
    api.service.addToDirectory(user);
    const requestedAt = Date.now();
    const [first] = (await findFree('second', [user._id], '2020-01-01T00:00:00Z')).data;
    expect(Date.parse(first?.start ?? '') - requestedAt).toBeGreaterThanOrEqual(0);
    expect(Date.parse(first?.start ?? '') - requestedAt).toBeLessThan(16 * 60_000);
  });
});

const addDays = (time: string, days: number) => new Date(Date.parse(time) + days * 86_400_000).toISOString();
