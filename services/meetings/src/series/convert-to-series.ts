import { normalizeRule } from '@atrium/proto-events/recurrence';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { copyAgenda } from '../agenda/agenda-repository.ts';
import { seriesCalendar } from '../calendar/calendar-object.ts';
import { seriesEventData } from '../meetings/meeting-event-data.ts';
import type { RuleChange } from '../meetings/meeting-patch.ts';
import { type MeetingRow, readMeeting } from '../meetings/meeting-repository.ts';
import { assertLastDay, assertStartsOnRule } from '../meetings/meeting-rules.ts';
import { recordSeriesRsvpRequest } from '../meetings/rsvp-requests.ts';
import { readOccurrences } from './occurrences.ts';
import { localDay } from './recurrence.ts';
import { rescheduleSeries } from './reschedule-series.ts';
import { addFirstMeeting, findSeries, insertSeries } from './series-repository.ts';
import { newSeries } from './start-series.ts';

/** The series keeps the calendar id of the meeting. */
export async function convertToSeries(tx: Queryable, row: MeetingRow, { lastDay, ...given }: RuleChange) {
  const rule = normalizeRule(given, localDay(row.starts_at, row.timezone));
  assertLastDay(lastDay, row.starts_at, row.timezone);
  assertStartsOnRule(rule, row.starts_at, row.timezone);
  const durationMs = row.ends_at.getTime() - row.starts_at.getTime();
  const participant_ids = row.participants.map(({ id }) => id);
  const fresh = newSeries({ ...row, participant_ids, rule, first: row.starts_at, lastDay, durationMs });
  const series = { ...fresh, calendar_id: row.id, sequence: row.sequence };
  await insertSeries(tx, series);
  await recordSeriesRsvpRequest(tx, series.id);
  await copyAgenda(tx, { meetingId: row.id }, series.id);
  await addFirstMeeting(tx, row.id, series);
  await rescheduleSeries(tx, series, {
    from: series.first_start,
    to: series.first_start,
    members: (await readOccurrences(tx, series)).occurrences,
    pattern: { ...rule, first: series.first_start, timezone: row.timezone, lastDay },
    durationMs,
    timeChanged: false,
    rsvpReset: false,
    // An RSVP to one meeting is none to a series.
    rsvps: new Map(),
  });
  const begun = await findSeries(tx, series.id);
  const facts = seriesEventData(begun, await readMeeting(tx, row.id));
  return { facts, calendar: await seriesCalendar(tx, begun) };
}
