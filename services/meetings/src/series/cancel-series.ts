import { meetingCancelled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import { attachCalendars } from '../calendar/attach-calendars.ts';
import { calendarOf, meetingCalendar, newSeriesCalendar, seriesCalendar } from '../calendar/calendar-object.ts';
import { meetingEventData, NO_PARTICIPANT_CHANGES, seriesEventData } from '../meetings/meeting-event-data.ts';
import { type MeetingRow, readMeeting, removeMeetings } from '../meetings/meeting-repository.ts';
import { lockRemindedUsers, staleReminders } from '../reminders/stale-reminders.ts';
import { type OccurrenceChange, publishOccurrenceChanges } from './occurrence-changes.ts';
import { listGuests } from './occurrence-guests.ts';
import { endSeriesBefore, toSeriesPart } from './series-part.ts';
import { removeSeries } from './series-repository.ts';
import type { ScopedOccurrences } from './series-scope.ts';

type Target = MeetingRow & { series_id: string };

/** From one occurrence on, or all upcoming ones. Earlier ones stay in calendars. */
export async function cancelSeries(
  tx: Queryable,
  target: Target,
  { scope, part, actorId }: { scope: 'following' | 'all'; part: ScopedOccurrences; actorId: string | null },
): Promise<void> {
  const { series, occurrences } = part;
  const from = target.original_start ?? target.starts_at;
  const { members, head, pivot } = toSeriesPart(occurrences, { from, scope });
  const guests = listGuests(series.participant_ids, members);
  const calendarBefore = calendarOf(series, part);
  const reminded = await lockRemindedUsers(tx, { seriesId: series.id });
  const guestEventData = head.length > 0 ? [] : await readGuestEventData(tx, guests);
  await removeMeetings(
    tx,
    members.map(({ id }) => id),
  );
  const stale = await staleReminders(tx, reminded);
  const at = { id: target.id, version: target.version + 1 };
  if (head.length > 0) {
    const ended = await endSeriesBefore(tx, series, pivot);
    const about = { aggregate: series.calendar_id, actorId };
    const change = { ...NO_PARTICIPANT_CHANGES, changed: ['recurringEndDate'] };
    const calendars = await attachCalendars(tx, { calendar: await seriesCalendar(tx, ended), calendarBefore }, about);
    const truncatedFor = { from: pivot.toISOString(), as: 'cancelled' as const, personIds: series.participant_ids };
    const data = { ...seriesEventData(ended, at), ...change, truncatedFor, ...stale, ...calendars };
    await appendEvent(tx, { event: meetingUpdated, data, ...about });
    await publishOccurrenceChanges(tx, guests, about);
    return;
  }
  await removeSeries(tx, series.id);
  const sequence = series.sequence + 1;
  const cancelled = [
    { ...seriesEventData({ ...series, sequence }, at), ...stale, calendarBefore: newSeriesCalendar(series) },
    ...guestEventData.map((facts) => ({ ...facts, sequence, isAlone: true })),
  ];
  for (const data of cancelled)
    await appendEvent(tx, { event: meetingCancelled, data, aggregate: series.calendar_id, actorId });
}

/** Guests are notified only of their occurrences, since they may not see the content of the series. */
async function readGuestEventData(tx: Queryable, guests: readonly OccurrenceChange[]) {
  const facts: z.input<typeof meetingCancelled.data>[] = [];
  for (const { meetingId, userIds } of guests) {
    const row = await readMeeting(tx, meetingId);
    const one = { ...(await meetingEventData(tx, row)), calendarBefore: await meetingCalendar(tx, row) };
    facts.push({ ...one, participantIds: [...userIds], version: row.version + 1 });
  }
  return facts;
}
