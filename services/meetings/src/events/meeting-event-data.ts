import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { idsOf, type MeetingRow } from '../model/meeting-repository.ts';
import { findSeries, getRule, type SeriesRow } from '../model/series-repository.ts';

export async function meetingEventData(tx: Queryable, row: MeetingRow) {
  const series = row.series_id === null ? undefined : await findSeries(tx, row.series_id);
  return {
    meetingId: row.id,
    seriesId: row.series_id,
    calendarId: series?.calendar_id ?? row.id,
    sequence: series?.sequence ?? row.sequence,
    recurrenceId: row.original_start?.toISOString() ?? null,
    ...meetingDetails(row),
    startTime: row.starts_at.toISOString(),
    endTime: row.ends_at.toISOString(),
    timezone: row.timezone,
    recurrence: null,
    organizerId: row.organizer_id,
    participantIds: idsOf(row.participants),
    version: row.version,
    project: row.project_id,
  };
}

export const NO_PARTICIPANT_CHANGES = { addedIds: [], removedIds: [], rsvpReset: false };

export const diffIds = (before: readonly string[], after: readonly string[] = before) => ({
  addedIds: after.filter((id) => !before.includes(id)),
  removedIds: before.filter((id) => !after.includes(id)),
});

/** Describes a whole series. `meetingId` is the occurrence through which users open it. */
export function seriesEventData(series: SeriesRow, { id: meetingId, version }: { id: string; version: number }) {
  return {
    meetingId,
    seriesId: series.id,
    calendarId: series.calendar_id,
    sequence: series.sequence,
    recurrenceId: null,
    ...meetingDetails(series),
    startTime: series.first_start.toISOString(),
    endTime: new Date(series.first_start.getTime() + series.duration_ms).toISOString(),
    timezone: series.timezone,
    recurrence: { ...getRule(series), until: series.last_day },
    organizerId: series.organizer_id,
    participantIds: series.participant_ids,
    version,
  };
}

export const meetingDetails = (
  row: Pick<SeriesRow, 'title' | 'description' | 'agenda' | 'location' | 'meeting_link' | 'room_name'>,
) => ({
  title: row.title,
  description: row.description,
  agenda: row.agenda,
  location: [row.room_name, row.location].filter(Boolean).join(', '),
  meetingLink: row.meeting_link,
});
