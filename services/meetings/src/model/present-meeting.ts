import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { localDay } from '../recurrence/local-time.ts';
import { itemsOf } from './agenda-repository.ts';
import type { MeetingRow } from './meeting-repository.ts';
import { abilities } from './policy.ts';

/** Includes the first `people` participants; names come from the directory. */
export function presentMeeting(
  directory: Directory,
  caller: Caller,
  row: MeetingRow,
  people = Number.POSITIVE_INFINITY,
): Meeting {
  const shown = withOwn(row.participants, people, caller.userId);
  return {
    _id: row.id,
    seriesId: row.series_id,
    title: row.title,
    description: row.description,
    type: row.type,
    startTime: row.starts_at.toISOString(),
    endTime: row.ends_at.toISOString(),
    timezone: row.timezone,
    location: row.location,
    meetingLink: row.meeting_link,
    agenda: row.agenda,
    agendaItems: itemsOf(row).map(({ title, minutes, userId }) => ({
      title,
      minutes,
      who: userId === null ? null : directory.summary(userId),
    })),
    notes: row.notes,
    summary: row.summary,
    project: row.project_id,
    room: row.room_id === null ? null : { _id: row.room_id, name: row.room_name ?? '' },
    organizer: directory.summary(row.organizer_id),
    participants: shown.map(({ id, response }) => ({ ...directory.summary(id), responseStatus: response })),
    participantCount: row.participants.length,
    isRecurring: row.series_id !== null,
    recurringFrequency: row.frequency,
    recurrence: row.recurrence && { ...row.recurrence, day: dayOfRule(row) },
    recurringEndDate: row.last_day,
    isPast: row.is_past,
    isClosed: row.is_closed,
    ...(row.more_in_series !== undefined && { moreInSeries: row.more_in_series }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    abilities: abilities(caller, row),
  };
}

/** Falls back to UTC if the runtime does not know the zone: one meeting must not fail a list. */
function dayOfRule({ original_start, starts_at, series_timezone, timezone }: MeetingRow): string {
  const start = original_start ?? starts_at;
  try {
    return localDay(start, series_timezone ?? timezone);
  } catch (error) {
    if (error instanceof RangeError) return start.toISOString().slice(0, 10);
    throw error;
  }
}

/** The first participants and always the caller, whose RSVP clients show. */
function withOwn(all: MeetingRow['participants'], people: number, callerId: string): MeetingRow['participants'] {
  const first = all.slice(0, people);
  const own = all.slice(people).filter(({ id }) => id === callerId);
  return own.length === 0 ? first : [...first.slice(0, -1), ...own];
}
