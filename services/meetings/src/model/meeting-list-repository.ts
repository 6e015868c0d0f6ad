import type { Limits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { COLUMNS, closedCondition, MAX_DURATION, type MeetingRow, roomNameColumn } from './meeting-repository.ts';
import type { Response } from './participant-repository.ts';

export type Audience = { userId: string } | 'everybody';

type MeetingFilter = {
  timeFilter?: 'upcoming' | 'past' | undefined;
  from?: string | undefined;
  to?: string | undefined;
  project?: string | undefined;
  seriesId?: string | undefined;
};

type Listed = Limits & { filter: MeetingFilter };

const MINE = 'select meeting_id, starts_at, ends_at from participants where user_id = $1';
const ALL = 'select id as meeting_id, starts_at, ends_at from meetings';
const MINE_OF_PROJECT = `select m.id as meeting_id, m.starts_at, m.ends_at
  from meetings m join participants p on p.meeting_id = m.id and p.user_id = $1 where m.project_id = $2`;

function source(audience: Audience, project: string | undefined): { from: string; values: unknown[] } {
  if (audience === 'everybody') {
    return project === undefined
      ? { from: `(${ALL}) v`, values: [] }
      : { from: `(${ALL} where project_id = $1) v`, values: [project] };
  }
  return project === undefined
    ? { from: `(${MINE}) v`, values: [audience.userId] }
    : { from: `(${MINE_OF_PROJECT}) v`, values: [audience.userId, project] };
}

const orderOf = ({ timeFilter }: MeetingFilter) => (timeFilter === 'past' ? 'desc' : 'asc');

const endsAfter = (timestamp: string) => `v.ends_at > ${timestamp} and v.starts_at > ${timestamp} - ${MAX_DURATION}`;

/** Only the conditions in use, so that each combination has its own plan over the index range of the user. */
function conditions(filter: MeetingFilter, values: unknown[]): string {
  const parts: string[] = ['true'];
  if (filter.timeFilter === 'upcoming') parts.push(endsAfter('now()'));
  if (filter.timeFilter === 'past') parts.push('v.ends_at <= now() and v.starts_at < now()');
  if (filter.from !== undefined) parts.push(endsAfter(`$${values.push(filter.from)}::timestamptz`));
  if (filter.to !== undefined) parts.push(`v.starts_at < $${values.push(filter.to)}`);
  if (filter.seriesId !== undefined)
    parts.push(`v.meeting_id in (select id from meetings where series_id = $${values.push(filter.seriesId)})`);
  return parts.join(' and ');
}

export async function listMeetingRows(
  db: Queryable,
  audience: Audience,
  { filter, limit, offset }: Listed,
): Promise<MeetingRow[]> {
  const { from, values } = source(audience, filter.project);
  const where = conditions(filter, values);
  const order = orderOf(filter);
  const { rows } = await db.query<MeetingRow>(
    `with page as materialized (
       select v.meeting_id from ${from} where ${where}
       order by v.starts_at ${order}, v.meeting_id ${order}
       limit $${values.push(limit)} offset $${values.push(offset)}
     )
     select ${COLUMNS} from page join meetings m on m.id = page.meeting_id left join series s on s.id = m.series_id
     order by m.starts_at ${order}, m.id ${order}`,
    values,
  );
  return rows;
}

const UNIT = 'coalesce(m.series_id, m.id)';

/** SQL for a row `m`: the listed meetings of its series, read along the list, so that the cost depends on the page only. */
const OF_ITS_SERIES = (from: string) =>
  `${from} join meetings other on other.id = v.meeting_id where other.series_id = m.series_id`;

/** Each series once, with the number of its other listed meetings; `name` prepares a statement without varying parts. */
export async function listSeriesOnce(
  db: Queryable,
  audience: Audience,
  { filter, limit, offset, name }: Listed & { name?: string },
): Promise<MeetingRow[]> {
  const { from, values } = source(audience, filter.project);
  const where = conditions(filter, values);
  const order = orderOf(filter);
  const isBefore = order === 'asc' ? '<' : '>';
  const { rows } = await db.query<MeetingRow>({
    ...(name && { name }),
    text: `with page as materialized (
       select v.meeting_id, v.starts_at,
         (select count(*)::int - 1 from ${OF_ITS_SERIES(from)} and ${where}) as more_in_series
       from ${from} join meetings m on m.id = v.meeting_id
       where ${where} and not exists (
         select from ${OF_ITS_SERIES(from)} and ${where} and (other.starts_at, other.id) ${isBefore} (m.starts_at, m.id)
       )
       order by v.starts_at ${order}, v.meeting_id ${order}
       limit $${values.push(limit)} offset $${values.push(offset)}
     )
     select ${COLUMNS}, greatest(page.more_in_series, 0) as more_in_series
     from page join meetings m on m.id = page.meeting_id left join series s on s.id = m.series_id
     order by m.starts_at ${order}, m.id ${order}`,
    values,
  });
  return rows;
}

export async function countMeetingRows(
  db: Queryable,
  audience: Audience,
  { isOnce, ...filter }: MeetingFilter & { isOnce: boolean },
): Promise<number> {
  const { from, values } = source(audience, filter.project);
  const where = conditions(filter, values);
  const text = isOnce
    ? `select count(distinct ${UNIT}) as total from ${from} join meetings m on m.id = v.meeting_id where ${where}`
    : `select count(*) as total from ${from} where ${where}`;
  const { rows } = await db.query<{ total: number }>(text, values);
  return rows[0]?.total ?? 0;
}

export type MeetingStats = { upcoming: number; completed: number; total: number; today: number };

/** `today` counts meetings that overlap the given day, past or not. */
export async function countStats(
  db: Queryable,
  audience: Audience,
  { day, project }: { day: { from: Date; to: Date }; project: string | undefined },
): Promise<MeetingStats> {
  const { from, values } = source(audience, project);
  const [begin, end] = [`$${values.push(day.from)}::timestamptz`, `$${values.push(day.to)}`];
  // Separate counts: the total needs no times, the others only upcoming meetings.
  const { rows } = await db.query<MeetingStats>(
    `select upcoming, total - upcoming as completed, total, today
     from (select (select count(*) from ${from}) as total,
                  (select count(*) from ${from} where ${endsAfter('now()')}) as upcoming,
                  (select count(*) from ${from} where ${endsAfter(begin)} and v.starts_at < ${end}) as today) counted`,
    values,
  );
  return rows[0] ?? { upcoming: 0, completed: 0, total: 0, today: 0 };
}

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

const CALENDAR_COLUMNS = `m.id, m.series_id, m.title, m.type, m.starts_at, m.ends_at, m.timezone, m.location, m.meeting_link,
  m.project_id, m.room_id, ${roomNameColumn('m')}, m.organizer_id, m.version, m.ends_at <= now() as is_past,
  ${closedCondition('m')} as is_closed, mine.response,
  (select count(*)::int from participants p where p.meeting_id = m.id) as participant_count`;

/** Soonest first. Queries by user have an index over the times copied to the invitations. */
export async function listCalendarRows(db: Queryable, range: Range): Promise<CalendarRow[]> {
  const { from, to, project, caller, allUsers, limit } = range;
  const values: unknown[] = [caller, from, to, limit];
  const [times, join] = allUsers ? ['m', 'left join'] : ['mine', 'join'];
  const ofProject = project === undefined ? '' : `and m.project_id = $${values.push(project)}`;
  const { rows } = await db.query<CalendarRow>(
    `select ${CALENDAR_COLUMNS}
     from meetings m ${join} participants mine on mine.meeting_id = m.id and mine.user_id = $1
     where ${times}.ends_at > $2 and ${times}.starts_at < $3 and ${times}.starts_at > $2::timestamptz - ${MAX_DURATION} ${ofProject}
     order by ${times}.starts_at, m.id
     limit $4`,
    values,
  );
  return rows;
}
