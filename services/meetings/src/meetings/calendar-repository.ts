import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { isClosed, MAX_DURATION, type MeetingRow, type Response, roomName } from './meeting-repository.ts';

export type CalendarRow = Pick<
  MeetingRow,
  | 'id'
  | 'series_id'
  | 'title'
  | 'type'
  | 'starts_at'
  | 'ends_at'
  | 'timezone'
  | 'location'
  | 'meeting_link'
  | 'project_id'
  | 'room_id'
  | 'room_name'
  | 'organizer_id'
  | 'version'
  | 'is_past'
  | 'is_closed'
> & { response: Response | null; participant_count: number };

type Range = {
  from: string;
  to: string;
  project?: string | undefined;
  caller: string;
  allUsers: boolean;
  limit: number;
};

const COLUMNS = `m.id, m.series_id, m.title, m.type, m.starts_at, m.ends_at, m.timezone, m.location, m.meeting_link,
  m.project_id, m.room_id, ${roomName('m')}, m.organizer_id, m.version, m.ends_at <= now() as is_past,
  ${isClosed('m')} as is_closed, mine.response,
  (select count(*)::int from participants p where p.meeting_id = m.id) as participant_count`;

/** Soonest first. Queries by user have an index over the times copied to the invitations. */
export async function listCalendarRows(db: Queryable, range: Range): Promise<CalendarRow[]> {
  const { from, to, project, caller, allUsers, limit } = range;
  const values: unknown[] = [caller, from, to, limit];
  const [times, join] = allUsers ? ['m', 'left join'] : ['mine', 'join'];
  const ofProject = project === undefined ? '' : `and m.project_id = $${values.push(project)}`;
  const { rows } = await db.query<CalendarRow>(
    `select ${COLUMNS}
     from meetings m ${join} participants mine on mine.meeting_id = m.id and mine.user_id = $1
     where ${times}.ends_at > $2 and ${times}.starts_at < $3 and ${times}.starts_at > $2::timestamptz - ${MAX_DURATION} ${ofProject}
     order by ${times}.starts_at, m.id
     limit $4`,
    values,
  );
  return rows;
}
