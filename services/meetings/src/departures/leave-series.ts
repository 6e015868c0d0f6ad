import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { appendGuestChanges } from '../events/append-meeting-events.ts';
import { appendMeetingUpdated } from '../events/attach-calendars.ts';
import { buildSeriesCalendar } from '../events/calendar-object.ts';
import { seriesEventData } from '../events/meeting-event-data.ts';
import { cancelMeeting, cancelSeries } from '../meetings/delete-meeting.ts';
import { lockMeetingWithSeries, type MeetingRow, readMeeting, updateMeetingRows } from '../model/meeting-repository.ts';
import { type Occurrences, readOccurrences } from '../model/occurrence-repository.ts';
import { findSeries, type SeriesRow, updateSeriesRow } from '../model/series-repository.ts';
import { findStaleReminders, lockRemindedUsers } from '../reminders/stale-reminders.ts';
import { listOpenOccurrenceIds, removeParticipant } from './departure-repository.ts';
import { chooseOrganizer, type DeactivatedUser, describeHandover } from './leave-meeting.ts';

type Removal = DeactivatedUser & { organizerId?: string };

export async function leaveSeries(tx: Queryable, seriesId: string, user: DeactivatedUser): Promise<void> {
  const lastId = await findLastOpenOccurrenceId(tx, seriesId);
  const target = lastId === undefined ? undefined : await lockMeetingWithSeries(tx, lastId);
  if (!target || target.series_id !== seriesId) return;
  const series = await findSeries(tx, seriesId);
  const before = await readOccurrences(tx, series);
  if (series.organizer_id !== user.userId) return removeUser(tx, { series, target, before }, user);
  const organizerId = chooseOrganizer(series.participant_ids, user);
  if (organizerId === undefined) return cancelOpenOccurrences(tx, { series, target, before }, user);
  return removeUser(tx, { series, target, before }, { ...user, organizerId });
}

async function findLastOpenOccurrenceId(tx: Queryable, seriesId: string): Promise<string | undefined> {
  const [lastId] = await listOpenOccurrenceIds(tx, seriesId);
  return lastId;
}

type SeriesContext = { series: SeriesRow; target: MeetingRow; before: Occurrences };

async function removeUser(tx: Queryable, { series, target, before }: SeriesContext, removal: Removal): Promise<void> {
  const { userId, organizerId, actorId } = removal;
  const calendarBefore = buildSeriesCalendar(series, before);
  const remindedUsers = await lockRemindedUsers(tx, { seriesId: series.id });
  const ids = before.occurrences.filter(({ is_past }) => !is_past).map(({ id }) => id);
  await removeParticipant(tx, ids, { userId, organizerId });
  await updateMeetingRows(tx, ids, {});
  const updatedSeries = await updateSeriesRow(tx, series, {
    participant_ids: replaceGuest(series.participant_ids, removal),
    organizer_id: organizerId ?? series.organizer_id,
    sequence: series.sequence + 1,
  });
  const after = await readOccurrences(tx, updatedSeries);
  await appendMeetingUpdated(tx, {
    eventData: {
      ...seriesEventData(updatedSeries, await readMeeting(tx, target.id)),
      ...describeHandover({ userId, organizerId, guestIds: series.participant_ids }),
      ...(await findStaleReminders(tx, remindedUsers)),
    },
    calendars: { calendar: buildSeriesCalendar(updatedSeries, after), calendarBefore },
    actorId,
  });
  const context = { aggregate: updatedSeries.calendar_id, actorId };
  const guestChanges = { before: [series, before.occurrences], after: [updatedSeries, after.occurrences] } as const;
  await appendGuestChanges(tx, guestChanges, context);
}

function replaceGuest(guestIds: readonly string[], { userId, organizerId }: Removal): string[] {
  const remainingIds = guestIds.flatMap((id) => {
    if (id !== userId) return [id];
    return organizerId === undefined ? [] : [organizerId];
  });
  return [...new Set(remainingIds)];
}

/**
 * `cancelSeries` skips open occurrences whose original start precedes that of a past one, so they are canceled
 * separately.
 */
async function cancelOpenOccurrences(
  tx: Queryable,
  { series, target, before }: SeriesContext,
  user: DeactivatedUser,
): Promise<void> {
  const affectedOccurrences = before.occurrences.filter(({ is_past }) => !is_past);
  const lastPast = before.occurrences.findLast(({ is_past }) => is_past)?.original_start;
  if (!lastPast || (target.original_start && target.original_start > lastPast)) {
    const part = { ...before, series, affectedOccurrences, detailVariants: [series] };
    await cancelSeries(tx, { ...target, series_id: series.id }, { scope: 'all', part, actorId: user.actorId });
  }
  for (const id of await listOpenOccurrenceIds(tx, series.id)) {
    const row = await lockMeetingWithSeries(tx, id);
    if (row) await cancelMeeting(tx, row, user.actorId);
  }
}
