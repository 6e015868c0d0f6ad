import { DEFAULT_RECURRENCE } from '@atrium/proto-events/recurrence/rule';
import { describe, expect, it } from '@jest/globals';
import { dayOfDate } from '#lib/time/day.ts';
import { buildMeeting } from '#test/build-meeting.ts';
import { editSchema, scheduleSchema } from './meeting-schema.ts';
import { toInstant } from './meeting-times.ts';
import { newValues, nextHalfHour, valuesOf } from './meeting-values.ts';

const DAY_MS = 86_400_000;
const soon = dayOfDate(new Date(Date.now() + 3 * DAY_MS));

const validValues = {
  ...newValues(soon),
  title: 'Portal stand-up',
  type: 'standup',
  meetingLink: 'https://meet.example.org/portal',
  participants: ['a'.repeat(24)],
};

function newTimes(at: { start: number; end: number }) {
  const { date, startTime, endTime } = newValues('', Date.now(), at);
  return { date, startTime, endTime };
}

const getErrors = (result: { success: boolean; error?: { issues: { path: PropertyKey[]; message: string }[] } }) =>
  result.error?.issues.map(({ path, message }) => [path.join('.'), message]);

const meeting = buildMeeting({ startTime: toInstant(soon, '09:10') ?? '', endTime: toInstant(soon, '09:40') ?? '' });

describe('scheduling a meeting', () => {
  it("sends day and times as instants, with the browser's time zone", () => {
    expect(scheduleSchema().parse(validValues)).toMatchObject({
      startTime: toInstant(soon, '09:00'),
      endTime: toInstant(soon, '10:00'),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      isRecurring: false,
      recurringFrequency: null,
    });
  });

  it('reports the errors of all fields at once', () => {
    const empty = { ...newValues(''), date: '', startTime: '', endTime: '', isRecurring: true };
    expect(getErrors(scheduleSchema().safeParse(empty))).toEqual([
      ['date', 'Date is required'],
      ['startTime', 'Start time is required'],
      ['endTime', 'End time is required'],
      ['title', 'Meeting title is required'],
      ['type', 'Meeting type is required'],
      ['meetingLink', 'Meeting link is required'],
      ['participants', 'At least one participant is required'],
    ]);
  });

  it.each([
    [{ endTime: '09:00' }, 'endTime', 'End time must be after start time'],
    [{ date: '2020-01-01' }, 'startTime', 'Meeting time cannot be in the past'],
    [{ meetingLink: 'nowhere' }, 'meetingLink', 'Please enter a valid URL'],
    [{ isRecurring: true }, 'recurringFrequency', 'Frequency is required for recurring meetings'],
  ])('rejects %j', (overrides, field, sentence) => {
    expect(getErrors(scheduleSchema().safeParse({ ...validValues, ...overrides }))).toEqual([[field, sentence]]);
  });

  it.each([
    [{ recurrence: { ...DEFAULT_RECURRENCE, interval: null } }, 'Interval must be a whole number from 1 to 99'],
    [
      {
        recurringFrequency: 'monthly',
        recurrence: { ...DEFAULT_RECURRENCE, monthlyOn: 'lastDay' as const },
        date: '2031-11-29',
      },
      'The meeting must be on the last day of a month',
    ],
    [
      { recurrence: { ...DEFAULT_RECURRENCE, weekdays: ['mon' as const] }, date: '2031-11-29' },
      'The meeting must be on one of the selected weekdays',
    ],
  ])('rejects the recurrence of %j', (overrides, sentence) => {
    const repeating = { ...validValues, isRecurring: true, recurringFrequency: 'weekly' };
    expect(getErrors(scheduleSchema().safeParse({ ...repeating, ...overrides }))).toEqual([['recurrence', sentence]]);
  });

  it('sends exactly the times that were selected in the calendar', () => {
    const start = Date.parse(toInstant(soon, '09:00') ?? '') + 7_000;
    const at = { start, end: start + 3_600_000 };
    const sentTimes = { startTime: new Date(at.start).toISOString(), endTime: new Date(at.end).toISOString() };
    expect(scheduleSchema(at).parse({ ...validValues, ...newTimes(at) })).toMatchObject(sentTimes);
    expect(scheduleSchema(at).parse({ ...validValues, ...newTimes(at), endTime: '11:00' })).toMatchObject({
      startTime: sentTimes.startTime,
      endTime: toInstant(soon, '11:00'),
    });
  });

  it('starts at the next half hour, or in the morning of a later day', () => {
    const noon = new Date(2026, 10, 20, 12, 5).getTime();
    expect(newValues('', noon)).toMatchObject({ date: '2026-11-20', startTime: '12:30', endTime: '13:30' });
    expect(newValues('2026-11-24', noon)).toMatchObject({ date: '2026-11-24', startTime: '09:00', endTime: '10:00' });
    const late = new Date(2026, 10, 20, 23, 40).getTime();
    expect(newValues('', late)).toMatchObject({ date: '2026-11-21', startTime: '00:00', endTime: '01:00' });
  });
});

describe('editing a meeting', () => {
  const schema = editSchema(meeting);
  const values = valuesOf(meeting);

  it('keeps untouched times that are off the grid or cross midnight', () => {
    const { body, scope } = schema.parse({ ...values, title: 'Renamed' });
    expect(body).toMatchObject({ title: 'Renamed', participants: ['a'.repeat(24)] });
    expect(body).not.toHaveProperty('startTime');
    expect(body).not.toHaveProperty('isRecurring');
    expect(scope).toBe('this');
  });

  it('allows no participants and past times, which the server validates', () => {
    const { body } = schema.parse({ ...values, participants: [], date: '2020-01-01' });
    expect(body).toMatchObject({ participants: [], startTime: toInstant('2020-01-01', '09:10') });
  });

  it('keeps the instant of an unchanged end time, and sends a changed one', () => {
    // In a repeated hour, the local time is ambiguous.
    const [startTime, endTime] = [meeting.startTime, meeting.endTime].map((time) =>
      time.replace(':00.000Z', ':07.000Z'),
    );
    const off = editSchema({ ...meeting, startTime: startTime ?? '', endTime: endTime ?? '' });
    expect(off.parse({ ...values, endTime: '10:00' }).body).toMatchObject({
      startTime,
      endTime: toInstant(soon, '10:00'),
    });
    expect(off.parse({ ...values, startTime: '09:00' }).body).toMatchObject({
      startTime: toInstant(soon, '09:00'),
      endTime,
    });
    const tomorrow = dayOfDate(new Date(Date.now() + 4 * DAY_MS));
    expect(off.parse({ ...values, date: tomorrow }).body).toMatchObject({ startTime: toInstant(tomorrow, '09:10') });
  });

  it('rejects an end before the start', () => {
    expect(getErrors(schema.safeParse({ ...values, endTime: '09:00' }))).toEqual([
      ['endTime', 'End time must be after start time'],
    ]);
  });

  it('turns a single meeting into a series on request', () => {
    const { body } = schema.parse({ ...values, isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: '' });
    expect(body).toMatchObject({ isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: null });
  });

  it('changes the rule of a series only if the change applies to more than this meeting', () => {
    const series = editSchema({ ...meeting, isRecurring: true, seriesId: 'd'.repeat(24), recurringFrequency: 'daily' });
    const inSeries = { ...values, isRecurring: true, recurringFrequency: 'weekly' };
    expect(series.parse(inSeries).body).not.toHaveProperty('recurringFrequency');
    expect(series.parse({ ...inSeries, scope: 'all' })).toMatchObject({
      scope: 'all',
      body: { recurringFrequency: 'weekly' },
    });
  });

  it('sends the recurrence of a series unchanged, by the days in its time zone', () => {
    const recurrence = { interval: 2, weekdays: ['mon' as const, 'thu' as const], monthlyOn: 'date' as const };
    // Monday in New York, Tuesday in UTC.
    const startTime = '2031-11-18T02:00:00.000Z';
    const endTime = '2031-11-18T03:00:00.000Z';
    const rule = { isRecurring: true, recurringFrequency: 'weekly' as const, seriesId: 'd'.repeat(24) };
    const inNewYork = { ...meeting, ...rule, startTime, endTime, timezone: 'America/New_York' };
    const series = { ...inNewYork, recurrence: { ...recurrence, day: '2031-11-17' } };
    const formValues = valuesOf(series);
    expect(editSchema(series).parse({ ...formValues, scope: 'all' }).body).toMatchObject({ recurrence });
    expect(getErrors(editSchema(series).safeParse({ ...formValues, scope: 'all', date: '2031-11-22' }))).toEqual([
      ['recurrence', 'The meeting must be on one of the selected weekdays'],
    ]);
  });
});

/** Nepal's local time, 15 minutes off the half-hour grid of UTC. */
class DateInNepal extends Date {
  override getMinutes() {
    return (this.getUTCMinutes() + 45) % 60;
  }
}

describe('nextHalfHour', () => {
  it.each([
    ['2026-11-20T06:20:00.000Z', '2026-11-20T06:45:00.000Z'],
    ['2026-11-20T06:45:00.000Z', '2026-11-20T06:45:00.000Z'],
    ['2026-11-20T06:45:00.001Z', '2026-11-20T07:15:00.000Z'],
  ])("after %s is %s in Nepal's time zone", (now, next) => {
    expect(nextHalfHour(new DateInNepal(now)).toISOString()).toBe(next);
  });
});
