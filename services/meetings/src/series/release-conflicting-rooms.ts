import { meetingUpdated } from '@atrium/proto-events/events/meetings';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { attachCalendars } from '../calendar/attach-calendars.ts';
import { seriesCalendar } from '../calendar/calendar-object.ts';
import { NO_PARTICIPANT_CHANGES, seriesEventData } from '../meetings/meeting-event-data.ts';
import { readMeeting } from '../meetings/meeting-repository.ts';
import { listConflicts, releaseRooms } from '../rooms/book-room.ts';
import { changeSeries, findSeries } from './series-repository.ts';

/**
 * Removes the room from newly added dates where it is taken, since no user is present to choose. The update to participants names the first
 * of these dates, because their calendars show the room of the series.
 */
export async function releaseConflictingRooms(tx: Queryable, seriesId: string): Promise<void> {
  const taken = await listConflicts(tx, seriesId);
  const [first] = taken;
  if (first === undefined) return;
  const series = await findSeries(tx, seriesId);
  const calendarBefore = await seriesCalendar(tx, series);
  await releaseRooms(tx, taken);
  const next = await changeSeries(tx, series, { sequence: series.sequence + 1 });
  const about = { aggregate: next.calendar_id, actorId: null };
  const data = {
    ...seriesEventData(next, await readMeeting(tx, first)),
    ...NO_PARTICIPANT_CHANGES,
    changed: ['room'],
    ...(await attachCalendars(tx, { calendar: await seriesCalendar(tx, next), calendarBefore }, about)),
  };
  await appendEvent(tx, { event: meetingUpdated, data, ...about });
}
