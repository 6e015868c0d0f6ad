import { meetingScheduled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Temporal } from 'temporal-polyfill';
import { startMeetings } from './factories.ts';

/** The local time occurs twice in the night in which clocks go back, and once a day earlier and a week later. */
const NIGHTS = [
  {
    timezone: 'Europe/Berlin',
    clock: '02:30',
    dayBefore: '2030-10-26T00:30:00.000Z',
    first: '2030-10-27T00:30:00.000Z',
    second: '2030-10-27T01:30:00.000Z',
    weekLater: '2030-11-03T01:30:00.000Z',
  },
  {
    timezone: 'America/New_York',
    clock: '01:30',
    dayBefore: '2030-11-02T05:30:00.000Z',
    first: '2030-11-03T05:30:00.000Z',
    second: '2030-11-03T06:30:00.000Z',
    weekLater: '2030-11-10T06:30:00.000Z',
  },
] as const;

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

const hourFrom = (startTime: string) => ({
  startTime,
  endTime: new Date(Date.parse(startTime) + 3_600_000).toISOString(),
});
const weekly = (until: string) => ({
  isRecurring: true,
  recurringFrequency: 'weekly',
  recurringEndDate: until.slice(0, 10),
});
const listStarts = async ({ seriesId }: Meeting) =>
  (await api.listOccurrences('organizer', seriesId)).map(({ startTime }) => startTime);

describe.each(NIGHTS)(
  'a local time that occurs twice in $timezone',
  ({ timezone, clock, dayBefore, first, second, weekLater }) => {
    const toClockTime = (at: string) =>
      Temporal.Instant.from(at).toZonedDateTimeISO(timezone).toPlainTime().toString({ smallestUnit: 'minute' });

    it('keeps the chosen occurrence for a single meeting that is scheduled or moved', async () => {
      expect([first, second, dayBefore, weekLater].map(toClockTime)).toEqual([clock, clock, clock, clock]);
      for (const startTime of [first, second]) {
        const meeting = await api.scheduleMeeting({ ...hourFrom(startTime), timezone });
        expect(meeting).toMatchObject(hourFrom(startTime));
        const moved = await api.scheduleMeeting({ ...hourFrom(dayBefore), timezone });
        expect((await api.patch('organizer', moved._id, hourFrom(startTime))).body).toMatchObject(hourFrom(startTime));
        // Saving the same times does not move the meeting.
        const saved = await api.patch('organizer', moved._id, { ...hourFrom(startTime), title: 'Saved' });
        expect(saved.body).toMatchObject({ ...hourFrom(startTime), title: 'Saved' });
      }
    });

    it('resolves to the first occurrence for a series that reaches it', async () => {
      const daily = { isRecurring: true, recurringFrequency: 'daily', recurringEndDate: first.slice(0, 10) };
      const meeting = await api.scheduleMeeting({ ...hourFrom(dayBefore), timezone, ...daily });
      expect(await listStarts(meeting)).toEqual([dayBefore, first]);
    });

    it.each([
      ['first', first],
      ['second', second],
    ])('starts a series at the chosen %s occurrence, and keeps the local time afterward', async (_, startTime) => {
      const meeting = await api.scheduleMeeting({ ...hourFrom(startTime), timezone, ...weekly(weekLater) });
      expect(meeting).toMatchObject(hourFrom(startTime));
      expect(await listStarts(meeting)).toEqual([startTime, weekLater]);
      const { data } = await api.service.waitForEvent(meetingScheduled, ({ meetingId }) => meetingId === meeting._id);
      // In calendars, the rule means the first, and the second is a moved occurrence.
      expect(data.calendar?.master).toMatchObject(hourFrom(first));
      expect(data.calendar?.occurrences).toMatchObject(
        startTime === first ? [] : [{ recurrenceId: first, ...hourFrom(second) }],
      );
      const renamed = await api.patch('organizer', meeting._id, { title: 'Night shift' }, 'all');
      expect(renamed.body).toMatchObject({ title: 'Night shift', startTime });
      expect(await listStarts(meeting)).toEqual([startTime, weekLater]);
    });

    it('stays at the same instant when a single meeting becomes a series', async () => {
      const { _id } = await api.scheduleMeeting({ ...hourFrom(second), timezone });
      const { body } = await api.patch('organizer', _id, weekly(weekLater));
      expect(body).toMatchObject({ _id, ...hourFrom(second), isRecurring: true });
      expect(await listStarts(body as Meeting)).toEqual([second, weekLater]);
      const { data } = await api.service.waitForEvent(meetingUpdated, ({ meetingId }) => meetingId === _id);
      expect(data.calendar?.master).toMatchObject(hourFrom(first));
      expect(data.calendar?.occurrences).toMatchObject([{ recurrenceId: first, ...hourFrom(second) }]);
    });

    it.each([
      ['first', first, 'all'],
      ['second', second, 'all'],
      ['second', second, 'following'],
    ])('keeps the %s occurrence when a series is moved there (%s, %s)', async (_, startTime, scope) => {
      // The series starts a day earlier; moving it reaches the ambiguous night.
      const meeting = await api.scheduleMeeting({ ...hourFrom(dayBefore), timezone, ...weekly(weekLater) });
      const [target] = await api.listOccurrences('organizer', meeting.seriesId);
      const { status, body } = await api.patch('organizer', target?._id ?? '', hourFrom(startTime), scope);
      expect({ status, body }).toMatchObject({ status: 200, body: { _id: target?._id, ...hourFrom(startTime) } });
      expect(await listStarts(body as Meeting)).toEqual([startTime, weekLater]);
      const { data } = await api.service.waitForEvent(meetingUpdated, ({ meetingId }) => meetingId === target?._id);
      expect(data.calendar?.master).toMatchObject(hourFrom(first));
      expect(data.calendar?.occurrences).toMatchObject(
        startTime === first ? [] : [{ recurrenceId: first, ...hourFrom(second) }],
      );
    });

    it('keeps the chosen occurrence only on the edited day when this and the following meetings move', async () => {
      const before = Temporal.Instant.from(dayBefore).subtract({ hours: 24 * 7 });
      const meeting = await api.scheduleMeeting({
        ...hourFrom(new Date(before.epochMilliseconds).toISOString()),
        timezone,
        ...weekly(weekLater),
      });
      const [, target] = await api.listOccurrences('organizer', meeting.seriesId);
      const { body } = await api.patch('organizer', target?._id ?? '', hourFrom(second), 'following');
      expect(body).toMatchObject({ _id: target?._id, ...hourFrom(second) });
      expect(await listStarts(body as Meeting)).toEqual([second, weekLater]);
    });
  },
);
