import { meetingScheduled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
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
const starts = async ({ seriesId }: Meeting) =>
  (await api.occurrences('organizer', seriesId)).map(({ startTime }) => startTime);

describe.each(NIGHTS)(
  'a local time that occurs twice in $timezone',
  ({ timezone, clock, dayBefore, first, second, weekLater }) => {
    const shown = (at: string) =>
      Temporal.Instant.from(at).toZonedDateTimeISO(timezone).toPlainTime().toString({ smallestUnit: 'minute' });

    it('keeps the chosen occurrence for a single meeting that is scheduled or moved', async () => {
      expect([first, second, dayBefore, weekLater].map(shown)).toEqual([clock, clock, clock, clock]);
      for (const startTime of [first, second]) {
        const meeting = await api.scheduleMeeting({ ...hourFrom(startTime), timezone });
        expect(meeting).toMatchObject(hourFrom(startTime));
        const moved = await api.scheduleMeeting({ ...hourFrom(dayBefore), timezone });
        expect((await api.patch('organizer', moved._id, hourFrom(startTime))).body).toMatchObject(hourFrom(startTime));
        // Saving it unchanged does not move it.
        const again = await api.patch('organizer', moved._id, { ...hourFrom(startTime), title: 'Again' });
        expect(again.body).toMatchObject({ ...hourFrom(startTime), title: 'Again' });
      }
    });

    it('resolves to the first occurrence for a date of a recurring series', async () => {
      const daily = { isRecurring: true, recurringFrequency: 'daily', recurringEndDate: first.slice(0, 10) };
      const meeting = await api.scheduleMeeting({ ...hourFrom(dayBefore), timezone, ...daily });
      expect(await starts(meeting)).toEqual([dayBefore, first]);
    });

    it.each([
      ['first', first],
      ['second', second],
    ])(
      'starts a series at the chosen %s occurrence, and keeps the local time for other dates',
      async (_, startTime) => {
        const meeting = await api.scheduleMeeting({ ...hourFrom(startTime), timezone, ...weekly(weekLater) });
        expect(meeting).toMatchObject(hourFrom(startTime));
        expect(await starts(meeting)).toEqual([startTime, weekLater]);
        const { data } = await api.service.published(meetingScheduled, ({ meetingId }) => meetingId === meeting._id);
        // For calendars the rule means the first, and the second is a moved occurrence.
        expect(data.calendar?.master).toMatchObject(hourFrom(first));
        expect(data.calendar?.occurrences).toMatchObject(
          startTime === first ? [] : [{ recurrenceId: first, ...hourFrom(second) }],
        );
        const renamed = await api.patch('organizer', meeting._id, { title: 'Night shift' }, 'all');
        expect(renamed.body).toMatchObject({ title: 'Night shift', startTime });
        expect(await starts(meeting)).toEqual([startTime, weekLater]);
      },
    );

    it('stays at the same instant when a single meeting becomes a series', async () => {
      const { _id } = await api.scheduleMeeting({ ...hourFrom(second), timezone });
      const { body } = await api.patch('organizer', _id, weekly(weekLater));
      expect(body).toMatchObject({ _id, ...hourFrom(second), isRecurring: true });
      expect(await starts(body as Meeting)).toEqual([second, weekLater]);
      const { data } = await api.service.published(meetingUpdated, ({ meetingId }) => meetingId === _id);
      expect(data.calendar?.master).toMatchObject(hourFrom(first));
      expect(data.calendar?.occurrences).toMatchObject([{ recurrenceId: first, ...hourFrom(second) }]);
    });

    it.each([
      ['first', first, 'all'],
      ['second', second, 'all'],
      ['second', second, 'following'],
    ])('keeps the %s occurrence when a series is moved there (%s, %s)', async (_, startTime, scope) => {
      // Starts a day earlier; the ambiguous night is reached by moving the series.
      const meeting = await api.scheduleMeeting({ ...hourFrom(dayBefore), timezone, ...weekly(weekLater) });
      const [target] = await api.occurrences('organizer', meeting.seriesId);
      const { status, body } = await api.patch('organizer', target?._id ?? '', hourFrom(startTime), scope);
      expect({ status, body }).toMatchObject({ status: 200, body: { _id: target?._id, ...hourFrom(startTime) } });
      expect(await starts(body as Meeting)).toEqual([startTime, weekLater]);
      const { data } = await api.service.published(meetingUpdated, ({ meetingId }) => meetingId === target?._id);
      expect(data.calendar?.master).toMatchObject(hourFrom(first));
      expect(data.calendar?.occurrences).toMatchObject(
        startTime === first ? [] : [{ recurrenceId: first, ...hourFrom(second) }],
      );
    });

    it('keeps the chosen occurrence only on the edited day when this and the following dates move', async () => {
      const before = Temporal.Instant.from(dayBefore).subtract({ hours: 24 * 7 });
      const meeting = await api.scheduleMeeting({
        ...hourFrom(new Date(before.epochMilliseconds).toISOString()),
        timezone,
        ...weekly(weekLater),
      });
      const [, target] = await api.occurrences('organizer', meeting.seriesId);
      const { body } = await api.patch('organizer', target?._id ?? '', hourFrom(second), 'following');
      expect(body).toMatchObject({ _id: target?._id, ...hourFrom(second) });
      expect(await starts(body as Meeting)).toEqual([second, weekLater]);
    });
  },
);
