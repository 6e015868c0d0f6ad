import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { CalendarMeeting } from '@atrium/proto-events/http/meetings/meetings';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { localDay } from '../recurrence/local-time.ts';
import { toAgendaItems } from './agenda-repository.ts';
import type { CalendarRow } from './meeting-list-repository.ts';
import type { MeetingRow } from './meeting-repository.ts';
import { abilities } from './policy.ts';

function presentBasics(directory: Directory, row: Omit<CalendarRow, 'response' | 'participant_count' | 'is_closed'>) {
  return {
    _id: row.id,
    seriesId: row.series_id,
    title: row.title,
    type: row.type,
    startTime: row.starts_at.toISOString(),
    endTime: row.ends_at.toISOString(),
    timezone: row.timezone,
    location: row.location,
    meetingLink: row.meeting_link,
    project: row.project_id,
    room: row.room_id === null ? null : { _id: row.room_id, name: row.room_name ?? '' },
    organizer: directory.summary(row.organizer_id),
    isRecurring: row.series_id !== null,
    isPast: row.is_past,
    version: row.version,
  };
}

export function presentCalendarMeeting(directory: Directory, caller: Caller, row: CalendarRow): CalendarMeeting {
  const participants = row.response === null ? [] : [{ id: caller.userId }];
  return {
    ...presentBasics(directory, row),
    abilities: abilities(caller, { ...row, participants }),
    participantCount: row.participant_count,
    response: row.response,
  };
}

export function presentMeeting(
  directory: Directory,
  caller: Caller,
  row: MeetingRow,
  maxParticipants = Number.POSITIVE_INFINITY,
): Meeting {
  const shownParticipants = limitParticipants(row.participants, maxParticipants, caller.userId);
  return {
    ...presentBasics(directory, row),
    description: row.description,
    agenda: row.agenda,
    agendaItems: toAgendaItems(row).map(({ title, minutes, userId }) => ({
      title,
      minutes,
      who: userId === null ? null : directory.summary(userId),
    })),
    notes: row.notes,
    summary: row.summary,
    participants: shownParticipants.map(({ id, response }) => ({ ...directory.summary(id), responseStatus: response })),
    participantCount: row.participants.length,
    recurringFrequency: row.frequency,
    recurrence: row.recurrence && { ...row.recurrence, day: getRuleDay(row) },
    recurringEndDate: row.last_day,
    isClosed: row.is_closed,
    ...(row.more_in_series !== undefined && { moreInSeries: row.more_in_series }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    abilities: abilities(caller, row),
  };
}

/** Falls back to UTC if the runtime does not know the zone: one meeting must not fail a list. */
function getRuleDay({ original_start, starts_at, series_timezone, timezone }: MeetingRow): string {
  const start = original_start ?? starts_at;
  try {
    return localDay(start, series_timezone ?? timezone);
  } catch (error) {
    if (error instanceof RangeError) return start.toISOString().slice(0, 10);
    throw error;
  }
}

/** Returns the first participants, and always the caller, whose RSVP clients show. */
function limitParticipants(
  participants: MeetingRow['participants'],
  max: number,
  callerId: string,
): MeetingRow['participants'] {
  const first = participants.slice(0, max);
  const caller = participants.slice(max).filter(({ id }) => id === callerId);
  return caller.length === 0 ? first : [...first.slice(0, -1), ...caller];
}
