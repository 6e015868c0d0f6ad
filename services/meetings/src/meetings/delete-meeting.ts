import { meetingCancelled } from '@atrium/proto-events/events/meetings';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { meetingCalendar } from '../calendar/calendar-object.ts';
import type { Deps } from '../deps.ts';
import { lockRemindedUsers, staleReminders } from '../reminders/stale-reminders.ts';
import { cancelSeries } from '../series/cancel-series.ts';
import { changeSeries, findSeries } from '../series/series-repository.ts';
import type { Scope } from '../series/series-scope.ts';
import { readUpcomingPart } from '../series/series-scope.ts';
import { assertVisible } from './assert-visible.ts';
import { meetingEventData } from './meeting-event-data.ts';
import { lockMeetingWithSeries, type MeetingRow, readMeeting, removeMeetings } from './meeting-repository.ts';
import { canEdit, DELETE_DENIED } from './policy.ts';
import { countSequence } from './sequence.ts';

/** With a scope, cancels the series from there on or all upcoming dates. */
export async function deleteMeeting(
  { db }: Deps,
  caller: Caller,
  { id, scope }: { id: string; scope: Scope },
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = assertVisible(caller, await lockMeetingWithSeries(tx, id));
    if (!canEdit(caller)) throw new AppError('forbidden', DELETE_DENIED);
    if (row.is_past) throw new AppError('conflict', 'A past meeting cannot be deleted');
    if (row.is_closed) throw new AppError('conflict', 'A closed meeting cannot be deleted');
    const part = await readUpcomingPart(tx, caller, { row, scope });
    if (row.series_id !== null && scope !== 'this' && part) {
      await cancelSeries(tx, { ...row, series_id: row.series_id }, { scope, part, actorId: caller.userId });
    } else await cancelOne(tx, row, caller.userId);
  });
}

export async function cancelOne(tx: Queryable, row: MeetingRow, actorId: string | null): Promise<void> {
  if (row.series_id !== null && row.original_start) {
    const series = await findSeries(tx, row.series_id);
    await changeSeries(tx, series, { excluded: [...series.excluded, row.original_start] });
  }
  await countSequence(tx, row);
  const facts = await meetingEventData(tx, await readMeeting(tx, row.id));
  const calendarBefore = await meetingCalendar(tx, row);
  const reminded = await lockRemindedUsers(tx, { meetingId: row.id });
  await removeMeetings(tx, [row.id]);
  const stale = await staleReminders(tx, reminded);
  const data = { ...facts, version: row.version + 1, ...stale, calendarBefore };
  await appendEvent(tx, { event: meetingCancelled, data, aggregate: facts.calendarId, actorId });
}
