import type { CalendarEntry, CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { idsOf, type MeetingRow } from '../model/meeting-repository.ts';
import { type Occurrence, type Occurrences, readOccurrences } from '../model/occurrence-repository.ts';
import { findSeries, getRule, type SeriesRow } from '../model/series-repository.ts';
import { meetingDetails } from './meeting-event-data.ts';

type Rsvp = CalendarEntry['answers'][number];

export async function readMeetingCalendar(tx: Queryable, row: MeetingRow): Promise<CalendarObject> {
  const entry = {
    ...meetingDetails(row),
    startTime: row.starts_at.toISOString(),
    endTime: row.ends_at.toISOString(),
    timezone: row.timezone,
    participantIds: idsOf(row.participants),
    answers: listRsvps(row),
  };
  if (row.series_id === null || row.original_start === null) {
    return { timezone: row.timezone, master: { ...entry, recurrence: null, excludedStarts: [] }, occurrences: [] };
  }
  const { timezone } = await findSeries(tx, row.series_id);
  const occurrence = { ...entry, meetingId: row.id, recurrenceId: row.original_start.toISOString() };
  return { timezone, master: null, occurrences: [occurrence] };
}

const listRsvps = ({ participants, organizer_id }: MeetingRow): Rsvp[] =>
  participants.flatMap(({ id, response }) =>
    response === 'pending' || id === organizer_id ? [] : [{ userId: id, status: response }],
  );

/** How long occurrences stay in the calendar of an event, which would otherwise grow with every year. */
const PAST_MS = 31 * 86_400_000;

export async function readSeriesCalendar(tx: Queryable, series: SeriesRow): Promise<CalendarObject> {
  return buildSeriesCalendar(series, await readOccurrences(tx, series));
}

export type CalendarOccurrence = Omit<Occurrence, 'version' | 'is_past'>;

/** Omits occurrences that ended before `since` (Unix time in milliseconds), even if they differ from the series. */
export function buildSeriesCalendar(
  series: SeriesRow,
  {
    seriesRsvps,
    occurrences: seriesOccurrences,
  }: Pick<Occurrences, 'seriesRsvps'> & { occurrences: readonly CalendarOccurrence[] },
  since = Date.now() - PAST_MS,
): CalendarObject {
  const rsvps = [...seriesRsvps].map(([userId, status]) => ({ userId, status }));
  const calendar = buildNewSeriesCalendar(series);
  const occurrences = seriesOccurrences.flatMap((occurrence) =>
    occurrence.ends_at.getTime() > since ? diffOccurrence(series, occurrence) : [],
  );
  return { ...calendar, master: { ...calendar.master, answers: rsvps }, occurrences };
}

export function buildNewSeriesCalendar(series: SeriesRow) {
  const master = {
    ...meetingDetails(series),
    startTime: series.first_start.toISOString(),
    endTime: new Date(series.first_start.getTime() + series.duration_ms).toISOString(),
    timezone: series.timezone,
    participantIds: series.participant_ids,
    answers: [] as Rsvp[],
    recurrence: { ...getRule(series), until: series.last_day },
    excludedStarts: series.excluded.map((start) => start.toISOString()),
  };
  return { timezone: series.timezone, master, occurrences: [] };
}

function diffOccurrence(series: SeriesRow, occurrence: CalendarOccurrence): CalendarObject['occurrences'] {
  const { starts_at, ends_at, original_start } = occurrence;
  const isMoved = starts_at > original_start || starts_at < original_start;
  const hasOwnDuration = ends_at.getTime() - starts_at.getTime() !== series.duration_ms;
  const userIds = occurrence.user_ids ?? series.participant_ids;
  const individualRsvps = userIds.flatMap((userId) => {
    const status = occurrence.rsvps[userId];
    return status === undefined ? [] : [{ userId, status }];
  });
  const change = {
    ...diffDetails(series, occurrence),
    ...(occurrence.timezone !== series.timezone && { timezone: occurrence.timezone }),
    ...(occurrence.user_ids && { participantIds: occurrence.user_ids }),
    ...(individualRsvps.length > 0 && { answers: individualRsvps }),
  };
  if (!isMoved && !hasOwnDuration && Object.keys(change).length === 0) return [];
  const times = { startTime: starts_at.toISOString(), endTime: ends_at.toISOString() };
  return [{ meetingId: occurrence.id, recurrenceId: original_start.toISOString(), ...times, ...change }];
}

function diffDetails(series: SeriesRow, occurrence: CalendarOccurrence): Partial<ReturnType<typeof meetingDetails>> {
  const seriesDetails = meetingDetails(series);
  const occurrenceDetails = Object.entries(meetingDetails(occurrence));
  return Object.fromEntries(occurrenceDetails.filter(([field, text]) => Reflect.get(seriesDetails, field) !== text));
}
