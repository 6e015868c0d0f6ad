import { meetingCancelled } from '@atrium/proto-events/events/meetings';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { appendOccurrenceChanges, listGuests, type OccurrenceChange } from '../events/append-meeting-events.ts';
import { appendMeetingUpdated } from '../events/attach-calendars.ts';
import {
  buildNewSeriesCalendar,
  buildSeriesCalendar,
  readMeetingCalendar,
  readSeriesCalendar,
} from '../events/calendar-object.ts';
import { meetingEventData, NO_PARTICIPANT_CHANGES, seriesEventData } from '../events/meeting-event-data.ts';
import {
  deleteMeetings,
  idsOf,
  incrementSequence,
  lockMeetingWithSeries,
  type MeetingRow,
  readMeeting,
} from '../model/meeting-repository.ts';
import { assertVisible, canEdit } from '../model/policy.ts';
import { deleteSeries, findSeries, updateSeriesRow } from '../model/series-repository.ts';
import { findStaleReminders, lockRemindedUsers } from '../reminders/stale-reminders.ts';
import { endSeriesBefore, readUpcomingPart, type Scope, type ScopedOccurrences, toSeriesPart } from './series-part.ts';

export async function deleteMeeting(
  { db }: Deps,
  caller: Caller,
  { id, scope }: { id: string; scope: Scope },
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = assertVisible(caller, await lockMeetingWithSeries(tx, id));
    if (!canEdit(caller)) throw new AppError('forbidden', 'Only Admin and Project Manager can delete meetings');
    if (row.is_past) throw new AppError('conflict', 'A past meeting cannot be deleted');
    if (row.is_closed) throw new AppError('conflict', 'A closed meeting cannot be deleted');
    const part = await readUpcomingPart(tx, caller, { row, scope });
    if (row.series_id !== null && scope !== 'this' && part) {
      await cancelSeries(tx, { ...row, series_id: row.series_id }, { scope, part, actorId: caller.userId });
    } else await cancelMeeting(tx, row, caller.userId);
  });
}

export async function cancelMeeting(tx: Queryable, row: MeetingRow, actorId: string | null): Promise<void> {
  if (row.series_id !== null && row.original_start) {
    const series = await findSeries(tx, row.series_id);
    await updateSeriesRow(tx, series, { excluded: [...series.excluded, row.original_start] });
  }
  await incrementSequence(tx, row);
  const eventData = await meetingEventData(tx, await readMeeting(tx, row.id));
  const calendarBefore = await readMeetingCalendar(tx, row);
  const remindedUsers = await lockRemindedUsers(tx, { meetingId: row.id });
  await deleteMeetings(tx, [row.id]);
  const staleReminders = await findStaleReminders(tx, remindedUsers);
  const data = { ...eventData, version: row.version + 1, ...staleReminders, calendarBefore };
  await appendEvent(tx, { event: meetingCancelled, data, aggregate: eventData.calendarId, actorId });
}

type Target = MeetingRow & { series_id: string };

export async function cancelSeries(
  tx: Queryable,
  target: Target,
  { scope, part, actorId }: { scope: 'following' | 'all'; part: ScopedOccurrences; actorId: string | null },
): Promise<void> {
  const { series, occurrences } = part;
  const from = target.original_start ?? target.starts_at;
  const { affectedOccurrences, earlierOccurrences, pivot } = toSeriesPart(occurrences, { from, scope });
  const guests = listGuests(series.participant_ids, affectedOccurrences);
  const calendarBefore = buildSeriesCalendar(series, part);
  const remindedUsers = await lockRemindedUsers(tx, { seriesId: series.id });
  const guestEventData = earlierOccurrences.length > 0 ? [] : await readGuestEventData(tx, guests);
  await deleteMeetings(tx, idsOf(affectedOccurrences));
  const staleReminders = await findStaleReminders(tx, remindedUsers);
  const representative = { id: target.id, version: target.version + 1 };
  if (earlierOccurrences.length > 0) {
    const endedSeries = await endSeriesBefore(tx, series, pivot);
    const change = { ...NO_PARTICIPANT_CHANGES, changed: ['recurringEndDate'] };
    const truncatedFor = { from: pivot.toISOString(), as: 'cancelled' as const, personIds: series.participant_ids };
    await appendMeetingUpdated(tx, {
      eventData: { ...seriesEventData(endedSeries, representative), ...change, truncatedFor, ...staleReminders },
      calendars: { calendar: await readSeriesCalendar(tx, endedSeries), calendarBefore },
      actorId,
    });
    return appendOccurrenceChanges(tx, guests, { aggregate: series.calendar_id, actorId });
  }
  await deleteSeries(tx, series.id);
  const sequence = series.sequence + 1;
  const cancellations = [
    {
      ...seriesEventData({ ...series, sequence }, representative),
      ...staleReminders,
      calendarBefore: buildNewSeriesCalendar(series),
    },
    ...guestEventData.map((eventData) => ({ ...eventData, sequence, isAlone: true })),
  ];
  for (const data of cancellations)
    await appendEvent(tx, { event: meetingCancelled, data, aggregate: series.calendar_id, actorId });
}

/** Limits what guests learn to their occurrences, since they may not see the content of the series. */
async function readGuestEventData(tx: Queryable, guests: readonly OccurrenceChange[]) {
  const guestEventData: z.input<typeof meetingCancelled.data>[] = [];
  for (const { meetingId, userIds } of guests) {
    const row = await readMeeting(tx, meetingId);
    const eventData = { ...(await meetingEventData(tx, row)), calendarBefore: await readMeetingCalendar(tx, row) };
    guestEventData.push({ ...eventData, participantIds: [...userIds], version: row.version + 1 });
  }
  return guestEventData;
}
