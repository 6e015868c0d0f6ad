import { meetingScheduled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { fillAll } from '../src/meetings/occurrence-generator.ts';
import { berlin, startMeetings, toWallClock } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

/** Builds a series at 09:00 in Berlin, where clocks go back on October 27, 2030, a Sunday. */
const seriesBody = (day: string, frequency: string, recurrence: object, recurringEndDate: string | null) =>
  api.buildBody({
    startTime: berlin(`${day}T09:00`),
    isRecurring: true,
    recurringFrequency: frequency,
    recurrence,
    recurringEndDate,
  });
const scheduleSeries = (...params: Parameters<typeof seriesBody>) => api.scheduleMeeting(seriesBody(...params));
const listMeetings = ({ seriesId }: Meeting) => api.listOccurrences('organizer', seriesId);
const listDays = async (first: Meeting) =>
  (await listMeetings(first)).map(({ startTime }) => toWallClock(startTime).slice(0, 10));
const hourOn = (day: string, time = '09:00') => ({
  startTime: berlin(`${day}T${time}`),
  endTime: new Date(Date.parse(berlin(`${day}T${time}`)) + 3_600_000).toISOString(),
});

/** Fills series like the background loop on that day. */
async function fillUntil(day: string): Promise<void> {
  const log = createLogger('test', 'silent');
  const db = createDb(api.service.env.DATABASE_URL ?? '', 2, log);
  await fillAll({ db, log }, { now: new Date(`${day}T12:00:00Z`) });
  await db.pool.end();
}

const WEEKDAYS_ERROR = 'The meeting must be on one of the selected weekdays';
const SELECT_ERROR = 'Select the weekdays again to move this series to another day of the week';
const LAST_DAY_ERROR = 'The meeting must be on the last day of a month';
const LAST_WEEK_ERROR = 'The meeting must be in the last seven days of a month';

describe('scheduling a series', () => {
  it.each([
    ['every third day', 'daily', { interval: 3 }, '2030-10-24', '2030-11-02', ['10-24', '10-27', '10-30', '11-02']],
    [
      'every other week on several weekdays',
      'weekly',
      { interval: 2, weekdays: ['fri', 'mon'] },
      '2030-10-18',
      '2030-11-15',
      ['10-18', '10-28', '11-01', '11-11', '11-15'],
    ],
    ['every other month', 'monthly', { interval: 2 }, '2030-10-31', '2031-05-31', ['10-31', '12-31']],
    [
      'on the last day of the month',
      'monthly',
      { monthlyOn: 'lastDay' },
      '2030-11-30',
      '2031-02-28',
      ['11-30', '12-31', '01-31', '02-28'],
    ],
    [
      'on the second Tuesday',
      'monthly',
      { monthlyOn: 'weekday' },
      '2030-10-08',
      '2031-01-31',
      ['10-08', '11-12', '12-10', '01-14'],
    ],
    [
      'on the last Friday',
      'monthly',
      { monthlyOn: 'lastWeekday' },
      '2030-10-25',
      '2031-01-31',
      ['10-25', '11-29', '12-27', '01-31'],
    ],
  ] as const)('creates its meetings %s at the same local time', async (_name, frequency, rule, day, last, days) => {
    const first = await scheduleSeries(day, frequency, rule, last);
    const meetings = await listMeetings(first);
    expect(meetings.map(({ startTime }) => toWallClock(startTime).slice(5))).toEqual(
      days.map((monthAndDay) => `${monthAndDay}T09:00`),
    );
    expect(first.recurrence).toMatchObject({
      interval: 1,
      ...rule,
      ...('weekdays' in rule && { weekdays: ['mon', 'fri'] }),
    });
    expect(meetings.map(({ recurrence }) => recurrence?.day.slice(5))).toEqual(days);
    const { data } = await api.service.waitForEvent(meetingScheduled, ({ meetingId }) => meetingId === first._id);
    const { day: _day, ...published } = first.recurrence ?? { day: '' };
    expect(data.recurrence).toEqual({ frequency, until: last, ...published });
  });

  it('skips months without the day, except for a leap day', async () => {
    const first = await scheduleSeries('2031-12-29', 'monthly', {}, '2033-03-31');
    const days = await listDays(first);
    expect(days).toContain('2032-02-29');
    expect(days.filter((day) => day.startsWith('2033'))).toEqual(['2033-01-29', '2033-03-29']);
  });

  it('ignores parts that do not apply to the frequency, and a weekday that the start implies', async () => {
    const normalized = { interval: 1, weekdays: [], monthlyOn: 'date', day: '2030-10-14' };
    const inapplicable = { weekdays: ['mon'], monthlyOn: 'lastDay' };
    for (const frequency of ['daily', 'weekly']) {
      const { recurrence } = await scheduleSeries('2030-10-14', frequency, inapplicable, '2030-10-20');
      expect(recurrence).toEqual(normalized);
    }
    expect((await api.scheduleMeeting({})).recurrence).toBeNull();
  });

  it('treats a fifth weekday of a month as the last', async () => {
    const first = await scheduleSeries('2030-10-29', 'monthly', { monthlyOn: 'weekday' }, '2030-12-31');
    expect(await listDays(first)).toEqual(['2030-10-29', '2030-11-26', '2030-12-31']);
  });

  it.each([
    ['weekly', { weekdays: ['tue', 'thu'] }, WEEKDAYS_ERROR],
    ['monthly', { monthlyOn: 'lastDay' }, LAST_DAY_ERROR],
    ['monthly', { monthlyOn: 'lastWeekday' }, LAST_WEEK_ERROR],
    ['daily', { interval: 0 }, 'Interval must be a whole number from 1 to 99'],
    ['daily', { interval: 1.5 }, 'Interval must be a whole number from 1 to 99'],
    ['weekly', { weekdays: ['noday'] }, 'Unknown weekday'],
    ['monthly', { monthlyOn: 'never' }, 'Unknown day of the month'],
  ] as const)('rejects a %s series with %j', async (frequency, recurrence, message) => {
    const { status, body } = await api.create('organizer', seriesBody('2030-10-14', frequency, recurrence, null));
    expect({ status, body }).toMatchObject({ status: 400, body: { message: [message] } });
  });

  it('uses weekdays in the time zone of the meeting', async () => {
    // Monday evening in New York is Tuesday in Berlin.
    const startTime = '2030-10-15T00:00:00.000Z';
    const rule = {
      isRecurring: true,
      recurringFrequency: 'weekly',
      recurringEndDate: '2030-10-25',
      timezone: 'America/New_York',
    };
    const first = await api.scheduleMeeting({ startTime, ...rule, recurrence: { weekdays: ['mon', 'thu'] } });
    expect(first.recurrence?.day).toBe('2030-10-14');
    expect((await listMeetings(first)).map(({ startTime: start }) => start.slice(0, 10))).toEqual([
      '2030-10-15',
      '2030-10-18',
      '2030-10-22',
      '2030-10-25',
    ]);
    const rejectedFields = { startTime, ...rule, recurrence: { weekdays: ['tue', 'thu'] } };
    expect((await api.create('organizer', rejectedFields)).body).toMatchObject({ message: [WEEKDAYS_ERROR] });
  });
});

describe('changing how a series repeats', () => {
  const scheduleMondays = () => scheduleSeries('2030-10-14', 'weekly', {}, '2030-11-11');

  it('changes the weekdays of all meetings, resets RSVPs, and keeps the meetings of each week', async () => {
    const first = await scheduleMondays();
    const before = await listMeetings(first);
    await api.respond('invitee', first._id, 'accepted', {}, 'all');
    await api.patch('organizer', first._id, { recurrence: { weekdays: ['tue'] } }, 'all');
    const after = await listMeetings(first);
    expect(await listDays(first)).toEqual(['2030-10-15', '2030-10-22', '2030-10-29', '2030-11-05']);
    expect(after.map(({ _id }) => _id)).toEqual(before.slice(0, 4).map(({ _id }) => _id));
    expect(after[0]?.participants.map(({ responseStatus }) => responseStatus)).toEqual(['accepted', 'pending']);
    const { data } = await api.service.waitForEvent(
      meetingUpdated,
      ({ calendarId, changed }) => calendarId === first.seriesId && changed.includes('recurrence'),
    );
    expect(data).toMatchObject({ rsvpReset: true, changed: ['recurrence'], startTime: berlin('2030-10-15T09:00') });
  });

  it('adds weekdays from one meeting on, and keeps the meetings on unchanged days', async () => {
    const first = await scheduleMondays();
    const [, , third] = await listMeetings(first);
    if (!third) throw new Error('Series has no third meeting');
    await api.patch('organizer', third._id, { notes: 'kept' });
    const { body } = await api.patch('organizer', third._id, { recurrence: { weekdays: ['mon', 'wed'] } }, 'following');
    const next = body as Meeting;
    expect(await listDays(first)).toEqual(['2030-10-14', '2030-10-21']);
    expect(await listDays(next)).toEqual(['2030-10-28', '2030-10-30', '2030-11-04', '2030-11-06', '2030-11-11']);
    expect(next).toMatchObject({ _id: third._id, notes: 'kept', recurrence: { weekdays: ['mon', 'wed'] } });
  });

  it('keeps a single occurrence canceled if the new rule contains it', async () => {
    const first = await scheduleMondays();
    const [, second] = await listMeetings(first);
    await api.remove('organizer', second?._id ?? '');
    await api.patch('organizer', first._id, { recurrence: { weekdays: ['mon', 'fri'] } }, 'all');
    expect((await listDays(first)).slice(0, 4)).toEqual(['2030-10-14', '2030-10-18', '2030-10-25', '2030-10-28']);
  });

  it('changes nothing if the rule is the same', async () => {
    const first = await scheduleMondays();
    const unchanged = {
      recurringFrequency: 'weekly',
      recurrence: { interval: 1, weekdays: ['mon'], monthlyOn: 'lastDay' },
    };
    const { body } = await api.patch('organizer', first._id, unchanged, 'all');
    expect(body).toMatchObject({ version: 1, seriesId: first.seriesId });
  });

  it('removes the weekdays when the frequency changes', async () => {
    const first = await scheduleSeries('2030-10-14', 'weekly', { interval: 2, weekdays: ['mon', 'wed'] }, '2030-10-31');
    const { body } = await api.patch('organizer', first._id, { recurringFrequency: 'daily' }, 'all');
    expect(body).toMatchObject({ recurringFrequency: 'daily', recurrence: { interval: 1, weekdays: [] } });
    expect(await listDays(first)).toHaveLength(18);
  });

  it('starts a monthly rule on the day of the edited meeting, not of the first upcoming one', async () => {
    const first = await scheduleMondays();
    const [, second] = await listMeetings(first);
    const change = {
      recurringFrequency: 'monthly',
      recurrence: { monthlyOn: 'weekday' },
      recurringEndDate: '2030-12-31',
    };
    await api.patch('organizer', second?._id ?? '', change, 'all');
    expect(await listDays(first)).toEqual(['2030-10-21', '2030-11-18', '2030-12-16']);
  });

  it('moves the same meetings from a day of the month to the last day', async () => {
    const first = await scheduleSeries('2030-10-30', 'monthly', {}, '2030-12-31');
    const before = await listMeetings(first);
    await api.patch('organizer', first._id, { recurrence: { monthlyOn: 'lastDay' } }, 'all');
    expect(await listDays(first)).toEqual(['2030-10-31', '2030-11-30', '2030-12-31']);
    expect((await listMeetings(first)).map(({ _id }) => _id)).toEqual(before.map(({ _id }) => _id));
  });

  it('is rejected for a single meeting, and if the new day is not on the rule', async () => {
    const first = await scheduleSeries('2030-10-14', 'weekly', { weekdays: ['mon', 'wed'] }, '2030-10-31');
    const single = await api.patch('organizer', first._id, { recurrence: { interval: 2 } });
    expect(single).toMatchObject({ status: 400 });
    const response = await api.patch('organizer', first._id, hourOn('2030-10-15'), 'all');
    expect(response).toMatchObject({ status: 400, body: { message: [WEEKDAYS_ERROR] } });
    const change = { recurringFrequency: 'monthly', ...hourOn('2030-10-15') };
    for (const [monthlyOn, message] of [
      ['lastDay', LAST_DAY_ERROR],
      ['lastWeekday', LAST_WEEK_ERROR],
    ])
      expect(await api.patch('organizer', first._id, { ...change, recurrence: { monthlyOn } }, 'all')).toMatchObject({
        status: 400,
        body: { message: [message] },
      });
  });

  it('makes a single meeting the first of a series', async () => {
    const single = await api.scheduleMeeting(hourOn('2030-10-14'));
    const rule = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: '2030-10-31' };
    const rejected = await api.patch('organizer', single._id, { ...rule, recurrence: { weekdays: ['tue'] } });
    expect(rejected).toMatchObject({ status: 400, body: { message: [WEEKDAYS_ERROR] } });
    const { body } = await api.patch('organizer', single._id, {
      ...rule,
      recurrence: { interval: 2, weekdays: ['mon', 'tue'] },
    });
    expect(await listDays(body as Meeting)).toEqual(['2030-10-14', '2030-10-15', '2030-10-28', '2030-10-29']);
  });

  it('stays in step with the week of the edited meeting', async () => {
    const first = await scheduleSeries('2030-10-18', 'weekly', { interval: 2, weekdays: ['mon', 'fri'] }, '2030-11-15');
    const [, second, ...later] = await listMeetings(first);
    const change = { recurrence: { interval: 2, weekdays: ['mon', 'wed'] } };
    await api.patch('organizer', second?._id ?? '', change, 'all');
    expect(await listDays(first)).toEqual(['2030-10-28', '2030-10-30', '2030-11-11', '2030-11-13']);
    const ids = (await listMeetings(first)).map(({ _id }) => _id);
    expect(ids).toEqual([second, ...later].map((meeting) => meeting?._id));
  });

  it('keeps all meetings and canceled occurrences if the new rule exceeds one batch', async () => {
    const first = await scheduleSeries('2030-10-14', 'weekly', {}, '2036-12-31');
    const before = await listMeetings(first);
    const canceled = before.at(-2);
    await api.remove('organizer', canceled?._id ?? '');
    await api.patch('organizer', before.at(-1)?._id ?? '', { notes: 'kept' });
    await api.patch('organizer', first._id, { recurrence: { weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] } }, 'all');
    const remainingIds = new Set((await listMeetings(first)).map(({ _id }) => _id));
    // The next two years exist immediately, as for a new series.
    expect((await listDays(first)).filter((day) => day < '2032-10-14')).toHaveLength(523);
    const lostMeetings = before.filter(({ _id }) => _id !== canceled?._id && !remainingIds.has(_id));
    expect(lostMeetings).toEqual([]);
    expect((await listMeetings(first)).at(-1)).toMatchObject({ _id: before.at(-1)?._id, notes: 'kept' });
    await fillUntil('2036-12-31');
    const days = await listDays(first);
    expect(days).toHaveLength(new Set(days).size);
    // These are the weekdays from October 14, 2030, to December 31, 2036, without the canceled one.
    expect(days).toHaveLength(1_623 - 1);
    expect(days).not.toContain(toWallClock(canceled?.startTime ?? '').slice(0, 10));
  });

  it('keeps a meeting that was moved individually unless its original start changes', async () => {
    const first = await scheduleMondays();
    const [, second] = await listMeetings(first);
    await api.patch('organizer', second?._id ?? '', hourOn('2030-10-24', '15:00'));
    const readTime = async () => {
      const { body } = await api.get('organizer', second?._id ?? '');
      return toWallClock((body as Meeting).startTime);
    };
    await api.patch('organizer', first._id, { recurrence: { weekdays: ['mon', 'wed'] } }, 'all');
    expect(await readTime()).toBe('2030-10-24T15:00');
    await api.patch('organizer', first._id, { recurrence: { weekdays: ['tue', 'wed'] } }, 'all');
    expect(await readTime()).toBe('2030-10-22T09:00');
  });
});

describe('moving a series', () => {
  it('to a different time keeps its weekdays and meetings', async () => {
    const first = await scheduleSeries('2030-10-14', 'weekly', { interval: 2, weekdays: ['mon', 'wed'] }, '2030-10-31');
    const before = await listMeetings(first);
    await api.patch('organizer', before[2]?._id ?? '', hourOn('2030-10-28', '15:00'), 'all');
    const after = await listMeetings(first);
    expect(after.map(({ startTime }) => toWallClock(startTime))).toEqual(
      ['2030-10-14', '2030-10-16', '2030-10-28', '2030-10-30'].map((day) => `${day}T15:00`),
    );
    expect(after.map(({ _id }) => _id)).toEqual(before.map(({ _id }) => _id));
  });

  it('from the last Friday to the last Saturday moves each meeting within its month', async () => {
    const first = await scheduleSeries('2030-10-25', 'monthly', { monthlyOn: 'lastWeekday' }, '2031-03-31');
    const meetings = await listMeetings(first);
    await api.patch('organizer', meetings[2]?._id ?? '', hourOn('2030-12-28'), 'all');
    expect(await listDays(first)).toEqual([
      '2030-10-26',
      '2030-11-30',
      '2030-12-28',
      '2031-01-25',
      '2031-02-22',
      '2031-03-29',
    ]);
    expect((await listMeetings(first)).map(({ _id }) => _id)).toEqual(meetings.map(({ _id }) => _id));
  });

  it.each([
    ['later in its week', ['mon', 'wed'], 0, '2030-10-16', 'all'],
    ['later in its week', ['mon', 'wed'], 2, '2030-10-23', 'following'],
    ['later in its week', ['mon', 'wed'], 2, '2030-10-23', 'all'],
    ['in the next week', ['mon', 'fri'], 1, '2030-10-21', 'following'],
  ] as const)('to a different selected weekday %s is rejected: %j', async (_name, weekdays, index, day, scope) => {
    const first = await scheduleSeries('2030-10-14', 'weekly', { weekdays }, '2030-11-01');
    await api.respond('invitee', first._id, 'accepted', {}, 'all');
    const before = await listMeetings(first);
    const id = before[index]?._id ?? '';
    const rejection = { status: 400, body: { message: [SELECT_ERROR] } };
    expect(await api.patch('organizer', id, hourOn(day), scope)).toMatchObject(rejection);
    const sameWeekdays = { ...hourOn(day), recurrence: { interval: 3, weekdays } };
    expect(await api.patch('organizer', id, sameWeekdays, scope)).toMatchObject(rejection);
    expect(await listMeetings(first)).toEqual(before);
  });

  it.each([
    [
      'the next week',
      3,
      '2030-10-28',
      ['mon', 'wed'],
      ['10-16', '10-21', '10-23', '10-28', '10-30', '11-04', '11-06', '11-11'],
    ],
    [
      'an earlier week',
      4,
      '2030-10-25',
      ['tue', 'fri'],
      ['10-11', '10-15', '10-18', '10-22', '10-25', '10-29', '11-01', '11-05'],
    ],
    [
      'a different day',
      2,
      '2030-10-23',
      ['wed', 'thu'],
      ['10-16', '10-17', '10-23', '10-24', '10-30', '10-31', '11-06', '11-07'],
    ],
  ] as const)(
    'to %s with new weekdays moves each meeting like the edited one',
    async (_name, index, day, weekdays, days) => {
      for (const scope of ['all', 'following'] as const) {
        const first = await scheduleSeries('2030-10-14', 'weekly', { weekdays: ['mon', 'fri'] }, '2030-11-11');
        const before = (await listMeetings(first)).map(({ _id }) => _id);
        const { body } = await api.patch(
          'organizer',
          before[index] ?? '',
          { ...hourOn(day), recurrence: { weekdays } },
          scope,
        );
        expect(body).toMatchObject({ _id: before[index], startTime: berlin(`${day}T09:00`) });
        const after = await listMeetings(body as Meeting);
        const from = scope === 'all' ? 0 : index;
        expect(
          after.slice(0, 8 - from).map(({ _id, startTime }) => [_id, toWallClock(startTime).slice(5, 10)]),
        ).toEqual(days.slice(from).map((expectedDay, offset) => [before[from + offset], expectedDay]));
      }
    },
  );

  it('with a different number of weekdays puts the edited meeting on the requested day', async () => {
    const first = await scheduleSeries('2030-10-14', 'weekly', { weekdays: ['mon', 'fri'] }, '2030-11-11');
    const [, friday] = await listMeetings(first);
    const change = { ...hourOn('2030-10-21'), recurrence: { weekdays: ['mon', 'wed', 'fri'] } };
    const { body } = await api.patch('organizer', friday?._id ?? '', change, 'all');
    expect(body).toMatchObject({ _id: friday?._id, startTime: berlin('2030-10-21T09:00') });
  });

  it('is rejected if the edited meeting would be after the last day', async () => {
    const first = await scheduleSeries('2030-10-14', 'weekly', {}, '2030-11-04');
    const before = await listMeetings(first);
    const response = await api.patch('organizer', before.at(-1)?._id ?? '', hourOn('2030-11-05'), 'all');
    expect(response).toMatchObject({ status: 400, body: { message: ['The end date must not be before the meeting'] } });
    expect(await listMeetings(first)).toEqual(before);
  });

  it('to a time zone where its meetings are on other weekdays is rejected', async () => {
    const timezone = 'America/New_York';
    const monday = { startTime: '2030-10-15T00:00:00.000Z', endTime: '2030-10-15T01:00:00.000Z', timezone };
    const first = await api.scheduleMeeting({
      ...seriesBody('2030-10-14', 'weekly', { weekdays: ['mon', 'tue'] }, '2030-11-01'),
      ...monday,
    });
    const before = await listMeetings(first);
    const zone = { timezone: 'Europe/Berlin' };
    expect(await api.patch('organizer', first._id, zone, 'all')).toMatchObject({
      status: 400,
      body: { message: [SELECT_ERROR] },
    });
    await api.patch('organizer', first._id, { ...zone, recurrence: { weekdays: ['tue', 'wed'] } }, 'all');
    const after = await listMeetings(first);
    expect(after.map(({ _id, startTime }) => [_id, toWallClock(startTime)]).slice(0, 3)).toEqual([
      [before[0]?._id, '2030-10-15T02:00'],
      [before[1]?._id, '2030-10-16T02:00'],
      [before[2]?._id, '2030-10-22T02:00'],
    ]);
  });

  it('to a time that the clocks skip on its first day keeps that time', async () => {
    // Berlin's clocks go forward on March 30, 2031.
    const first = await scheduleSeries('2031-03-30', 'daily', {}, '2031-04-02');
    const [, , third] = await listMeetings(first);
    await api.patch('organizer', third?._id ?? '', hourOn('2031-04-01', '02:30'), 'all');
    const times = (await listMeetings(first)).map(({ startTime }) => toWallClock(startTime));
    expect(times).toEqual(['2031-03-31T02:30', '2031-04-01T02:30', '2031-04-02T02:30']);
  });

  it('to a day that some of its months lack keeps the moved meeting', async () => {
    const first = await scheduleSeries('2031-04-30', 'monthly', { interval: 2 }, '2031-12-31');
    const [, , august, ...later] = await listMeetings(first);
    const { body } = await api.patch('organizer', august?._id ?? '', hourOn('2031-08-31'), 'all');
    expect(await listDays(first)).toEqual(['2031-08-31', '2031-10-31', '2031-12-31']);
    const ids = (await listMeetings(first)).map(({ _id }) => _id);
    expect(ids).toEqual([(body as Meeting)._id, ...later.map(({ _id }) => _id)]);
    expect(ids[0]).toBe(august?._id);
  });
});

describe('the calendar feed', () => {
  it.each([
    ['weekly', { interval: 2, weekdays: ['mon', 'thu'] }, '2030-10-14', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL'],
    ['monthly', { monthlyOn: 'lastDay' }, '2030-10-31', 'FREQ=MONTHLY;BYMONTHDAY=-1;UNTIL'],
    ['monthly', { monthlyOn: 'weekday' }, '2030-10-16', 'FREQ=MONTHLY;BYDAY=3WE;UNTIL'],
  ] as const)(
    'contains a %s series with %j as a rule with the same meetings',
    async (frequency, recurrence, day, rule) => {
      const title = `Feed ${rule}`;
      const first = await api.scheduleMeeting({ ...seriesBody(day, frequency, recurrence, '2030-12-31'), title });
      const { token } = (await api.service.call('POST', '/meetings/feed', { as: api.users.organizer })).body as {
        token: string;
      };
      const { body } = await api.service.call('GET', `/meetings/feed/${token}.ics`, {});
      const calendar = new ICAL.Component(ICAL.parse(String(body)));
      for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
      const events = calendar
        .getAllSubcomponents('vevent')
        .filter((event) => event.getFirstPropertyValue('summary') === title);
      expect(events).toHaveLength(1);
      const [component] = events;
      if (!component) throw new Error('Series not found in the feed');
      expect(String(component.getFirstPropertyValue('rrule'))).toContain(rule);
      const iterator = new ICAL.Event(component).iterator();
      const starts: string[] = [];
      for (let next = iterator.next(); next; next = iterator.next()) starts.push(next.toJSDate().toISOString());
      expect(starts).toEqual((await listMeetings(first)).map(({ startTime }) => startTime));
    },
  );
});

describe('a series with years between its meetings', () => {
  const listMonths = async (first: Meeting) => (await listDays(first)).map((day) => day.slice(0, 7));

  it('always has a next meeting, even if a single one is canceled', async () => {
    const first = await scheduleSeries('2030-10-14', 'monthly', { interval: 24 }, null);
    await fillUntil('2030-10-13');
    expect(await listMonths(first)).toEqual(['2030-10']);
    await fillUntil('2030-10-15');
    expect(await listMonths(first)).toEqual(['2030-10', '2032-10']);
    await fillUntil('2030-10-16');
    expect(await listMonths(first)).toEqual(['2030-10', '2032-10']);
    await api.remove('organizer', (await listMeetings(first)).at(-1)?._id ?? '');
    await fillUntil('2030-10-17');
    expect(await listMonths(first)).toEqual(['2030-10', '2034-10']);
  });

  it('has a next meeting even if most months lack the day', async () => {
    const first = await scheduleSeries('2031-01-31', 'monthly', { interval: 5 }, null);
    await fillUntil('2031-02-01');
    expect(await listMonths(first)).toEqual(['2031-01', '2033-07']);
  });
});
