import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { ruleOf } from '../series/fill-series.ts';
import { findSeries, type SeriesRow } from '../series/series-repository.ts';
import type { MeetingRow } from './meeting-repository.ts';

/** What the events about one meeting carry: it alone, or one occurrence of a series. */
export async function meetingFacts(tx: Queryable, row: MeetingRow) {
  const series = row.series_id === null ? undefined : await findSeries(tx, row.series_id);
  return {
    meetingId: row.id,
    seriesId: row.series_id,
    calendarId: series?.calendar_id ?? row.id,
    sequence: series?.sequence ?? row.sequence,
    recurrenceId: row.original_start?.toISOString() ?? null,
    ...words(row),
    startTime: row.starts_at.toISOString(),
    endTime: row.ends_at.toISOString(),
    timezone: row.timezone,
    recurrence: null,
    organizerId: row.organizer_id,
    participantIds: row.participants.map(({ id }) => id),
    version: row.version,
    project: row.project_id,
  };
}

/** What the event of a change carries that leaves people and their answers as they are. */
export const NO_PARTICIPANT_CHANGES = { addedIds: [], removedIds: [], rsvpReset: false };

/** What the events about a whole series carry; `meetingId` is the occurrence by which people reach it. */
export function seriesFacts(series: SeriesRow, { id: meetingId, version }: { id: string; version: number }) {
  return {
    meetingId,
    seriesId: series.id,
    calendarId: series.calendar_id,
    sequence: series.sequence,
    recurrenceId: null,
    ...words(series),
    startTime: series.first_start.toISOString(),
    endTime: new Date(series.first_start.getTime() + series.duration_ms).toISOString(),
    timezone: series.timezone,
    recurrence: { ...ruleOf(series), until: series.last_day },
    organizerId: series.organizer_id,
    participantIds: series.participant_ids,
    version,
  };
}

/** What a meeting is about, in the words of events. */
export const words = (
  row: Pick<SeriesRow, 'title' | 'description' | 'agenda' | 'location' | 'meeting_link' | 'room_name'>,
) => ({
  title: row.title,
  description: row.description,
  agenda: row.agenda,
  // Calendars have one place for where it is.
  location: [row.room_name, row.location].filter(Boolean).join(', '),
  meetingLink: row.meeting_link,
});
