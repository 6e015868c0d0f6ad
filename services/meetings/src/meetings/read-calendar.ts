import type { RequestOf } from '@atrium/proto-events/endpoint';
import {
  type CalendarMeeting,
  type listCalendarMeetings as contract,
  MAX_MEETINGS_PER_RANGE,
  MAX_RANGE_MS,
} from '@atrium/proto-events/http/meetings';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { type CalendarRow, listCalendarRows } from './calendar-repository.ts';
import { abilities } from './policy.ts';

/** Administrators can request the meetings of all users. */
export async function listCalendar(
  { db, directory }: Deps,
  caller: Caller,
  { whose, project, ...given }: RequestOf<typeof contract>['query'],
) {
  const from = given.from ?? new Date().toISOString();
  const rows = await listCalendarRows(db, {
    from,
    to: earlierOf(given.to, Date.parse(from) + MAX_RANGE_MS),
    project,
    caller: caller.userId,
    allUsers: whose === 'all' && caller.role === 'admin',
    limit: MAX_MEETINGS_PER_RANGE + 1,
  });
  return {
    data: rows.slice(0, MAX_MEETINGS_PER_RANGE).map((row) => present(directory, caller, row)),
    more: rows.length > MAX_MEETINGS_PER_RANGE,
  };
}

/** ISO 8601. */
const earlierOf = (given: string | undefined, latest: number): string =>
  given !== undefined && Date.parse(given) < latest ? given : new Date(latest).toISOString();

function present(directory: Directory, caller: Caller, row: CalendarRow): CalendarMeeting {
  const participants = row.response === null ? [] : [{ id: caller.userId }];
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
    abilities: abilities(caller, { ...row, participants }),
    participantCount: row.participant_count,
    response: row.response,
  };
}
