import { DEFAULT_PREFERENCES } from '@atrium/proto-events/preferences';
import { buildUser } from '@atrium/test-kit/people';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { berlin, berlinDay, type PersonName, startMeetings } from './factories.ts';

type Busy = { person: string; busy: { start: string; end: string }[] };
type Free = { data: { start: string; end: string }[]; message: string | null };

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

/** A Tuesday of a future year at a time in Berlin; each test uses its own week. */
const tuesday = (week: number, time: string) => {
  const day = new Date(Date.UTC(2031, 0, 7 + week * 7)).toISOString().slice(0, 10);
  return berlin(`${day}T${time}`);
};
const secret = { title: 'Zebra merger', description: 'Zebra plan', agenda: 'Zebra', location: 'Zebra room' };
const hour = (startTime: string, more: Record<string, unknown> = {}) =>
  api.scheduleMeeting({ ...secret, startTime, ...more });

const busy = async (as: PersonName, people: readonly string[], week: number, more: Record<string, unknown> = {}) => {
  const body = { people, from: tuesday(week, '00:00'), to: tuesday(week, '23:59'), ...more };
  return api.service.call('POST', '/meetings/busy', { as: api.people[as], body });
};
const free = async (as: PersonName, people: readonly string[], from: string, more: Record<string, unknown> = {}) => {
  const body = { people, from, durationMinutes: 60, ...more };
  const response = await api.service.call('POST', '/meetings/free-times', { as: api.people[as], body });
  expect(response.status).toBe(200);
  return response.body as Free;
};

describe('POST /meetings/busy', () => {
  it.each(['admin', 'organizer', 'manager', 'invitee', 'second', 'stranger'] as const)(
    'returns only start and end of meetings to %s, also for their own',
    async (who) => {
      const { invitee, organizer } = api.people;
      const week = 1;
      const start = tuesday(week, '10:00');
      if (who === 'admin') await hour(start);
      const { status, body } = await busy(who, [invitee._id, organizer._id], week);
      expect(status).toBe(200);
      const hours = [{ start, end: tuesday(week, '11:00') }];
      // Compared literally to detect additional fields.
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
    await hour(tuesday(week, '10:00'));
    await hour(tuesday(week, '10:30'));
    await hour(tuesday(week, '11:30'));
    const { body } = await busy('stranger', [api.people.invitee._id], week);
    const one = { start: tuesday(week, '10:00'), end: tuesday(week, '12:30') };
    expect(body).toEqual({ data: [{ person: api.people.invitee._id, busy: [one] }] });
  });

  it('excludes declined meetings until they are accepted', async () => {
    const week = 3;
    const { invitee, organizer } = api.people;
    const meeting = await hour(tuesday(week, '10:00'));
    const countOf = async (id: string) =>
      ((await busy('stranger', [id], week)).body as { data: Busy[] }).data[0]?.busy.length;
    expect(await countOf(invitee._id)).toBe(1);
    await api.respond('invitee', meeting._id, 'declined');
    expect([await countOf(invitee._id), await countOf(organizer._id)]).toEqual([0, 1]);
    await api.respond('invitee', meeting._id, 'tentative');
    expect(await countOf(invitee._id)).toBe(1);
  });

  it('excludes the given meeting only for callers who can see it', async () => {
    const week = 4;
    const { invitee } = api.people;
    const { _id: except } = await hour(tuesday(week, '10:00'));
    const leftOut = async (who: PersonName) =>
      ((await busy(who, [invitee._id], week, { except })).body as { data: Busy[] }).data[0]?.busy.length === 0;
    expect(await Promise.all((['admin', 'organizer', 'invitee', 'stranger', 'manager'] as const).map(leftOut))).toEqual(
      [true, true, true, false, false],
    );
  });

  it('returns each active user once and omits others', async () => {
    const { invitee, inactive } = api.people;
    const { body } = await busy('stranger', [invitee._id, inactive._id, 'f'.repeat(24), invitee._id], 5);
    expect(body).toEqual({ data: [{ person: invitee._id, busy: [] }] });
  });

  it.each([
    [{ people: [] }, 'At least one person is required'],
    [{ people: Array.from({ length: 501 }, () => 'a'.repeat(24)) }, 'Busy times are shown of at most 500 people'],
    [{ to: '2030-01-01T00:00:00Z' }, 'End time must be after start time'],
    [{ to: '2032-01-01T00:00:00Z' }, 'Busy times are shown of at most 62 days'],
    [{ from: 'soon' }, 'Start time is required'],
  ])('rejects invalid bodies: %#', async (given, message) => {
    const { status, body } = await busy('stranger', [api.people.invitee._id], 6, given);
    expect(status).toBe(400);
    expect((body as { message: string[] }).message).toContain(message);
  });

  it('rejects anonymous callers', async () => {
    const body = { people: [api.people.invitee._id], from: tuesday(1, '00:00'), to: tuesday(1, '23:00') };
    expect((await api.service.call('POST', '/meetings/busy', { body })).status).toBe(401);
    const search = { people: body.people, from: body.from, durationMinutes: 60 };
    expect((await api.service.call('POST', '/meetings/free-times', { body: search })).status).toBe(401);
    const wrong = await api.service.call('POST', '/meetings/free-times', {
      as: api.people.stranger,
      body: { ...search, durationMinutes: 4 },
    });
    expect(wrong).toMatchObject({ status: 400, body: { message: ['A meeting takes 5 minutes to 24 hours'] } });
  });
});

describe('POST /meetings/free-times', () => {
  it('returns the next three times when all users are free and within working hours in their zones', async () => {
    const week = 20;
    const berliner = buildUser({ timezone: 'Europe/Berlin' });
    const yorker = buildUser({ timezone: 'America/New_York' });
    api.service.addToDirectory(berliner, yorker);
    // Working hours in New York start at 14:00 in Berlin, where they end at 18:00.
    await hour(tuesday(week, '14:30'), { participants: [yorker._id] });
    const found = await free('stranger', [berliner._id, yorker._id], tuesday(week, '06:00'));
    const wednesday = (time: string) => iso8601(tuesday(week, time), 1);
    expect(found).toEqual({
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
    const early = buildUser({ timezone: 'Europe/Berlin', preferences: { workingHours } });
    api.service.addToDirectory(early);
    const found = await free('second', [early._id], tuesday(week, '06:00'));
    expect(found.data.map(({ start }) => start)).toEqual([
      tuesday(week, '11:15'),
      tuesday(week, '12:15'),
      tuesday(week + 1, '11:15'),
    ]);
    expect(JSON.stringify(found)).not.toMatch(/workingHours|13:15/);
  });

  it('explains that there are no common working hours or no free times', async () => {
    const west = buildUser({ timezone: 'America/Los_Angeles' });
    const east = buildUser({ timezone: 'Asia/Kathmandu' });
    api.service.addToDirectory(west, east);
    expect(await free('second', [west._id, east._id], tuesday(12, '06:00'))).toEqual({
      data: [],
      message: 'Within the next 14 days there is no time of that length within everybody’s working hours.',
    });
    const full = buildUser({ timezone: 'Europe/Berlin' });
    api.service.addToDirectory(full);
    const startTime = berlinDay(1, '00:00');
    const endTime = berlinDay(2, '00:00');
    const everyDay = { isRecurring: true, recurringFrequency: 'daily', recurringEndDate: berlinDay(17).slice(0, 10) };
    await api.scheduleMeeting({ startTime, endTime, ...everyDay, participants: [full._id] });
    expect(await free('second', [full._id], startTime)).toEqual({
      data: [],
      message: 'Within the next 14 days there is no time of that length when everybody is free.',
    });
  });

  it('starts now if the requested start is in the past', async () => {
    const always = { workingHours: Array.from({ length: 7 }, () => ({ start: '00:00', end: '24:00' })) };
    const person = buildUser({ preferences: always });
    api.service.addToDirectory(person);
    const asked = Date.now();
    const [first] = (await free('second', [person._id], '2020-01-01T00:00:00Z')).data;
    expect(Date.parse(first?.start ?? '') - asked).toBeGreaterThanOrEqual(0);
    expect(Date.parse(first?.start ?? '') - asked).toBeLessThan(16 * 60_000);
  });
});

const iso8601 = (time: string, days: number) => new Date(Date.parse(time) + days * 86_400_000).toISOString();
