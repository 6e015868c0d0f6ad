import type { Limits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { COLUMNS, closedCondition, MAX_DURATION, type MeetingRow, roomNameColumn } from './meeting-repository.ts';
import type { RsvpStatus } from './participant-repository.ts';

export type Audience = { userId: string } | 'everybody';

type MeetingFilter = {
  timeFilter?: 'upcoming' | 'past' | undefined;
  from?: string | undefined;
  to?: string | undefined;
  project?: string | undefined;
  seriesId?: string | undefined;
};

type ListParams = Limits & { filter: MeetingFilter };

const OF_USER = 'select meeting_id, starts_at, ends_at from participants where user_id = $1';
const OF_EVERYBODY = 'select id as meeting_id, starts_at, ends_at from meetings';
const OF_USER_IN_PROJECT = `select m.id as meeting_id, m.starts_at, m.ends_at
  from meetings m join participants p on p.meeting_id = m.id and p.user_id = $1 where m.project_id = $2`;

function selectFrom(audience: Audience, project: string | undefined): { from: string; values: unknown[] } {
  if (audience === 'everybody') {
    return project === undefined
      ? { from: `(${OF_EVERYBODY}) v`, values: [] }
      : { from: `(${OF_EVERYBODY} where project_id = $1) v`, values: [project] };
  }
  return project === undefined
    ? { from: `(${OF_USER}) v`, values: [audience.userId] }
    : { from: `(${OF_USER_IN_PROJECT}) v`, values: [audience.userId, project] };
}

const getOrder = ({ timeFilter }: MeetingFilter) => (timeFilter === 'past' ? 'desc' : 'asc');

const endsAfter = (timestamp: string) => `v.ends_at > ${timestamp} and v.starts_at > ${timestamp} - ${MAX_DURATION}`;

/** Includes only the conditions in use, so that each combination has its own plan over the index range of the user. */
function buildConditions(filter: MeetingFilter, values: unknown[]): string {
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
  { filter, limit, offset }: ListParams,
): Promise<MeetingRow[]> {
  const { from, values } = selectFrom(audience, filter.project);
  const where = buildConditions(filter, values);
  const order = getOrder(filter);
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

const SERIES_OR_MEETING_ID = 'coalesce(m.series_id, m.id)';

/**
 * Selects the listed meetings in the series of a row `m`, read along the list, so that the cost depends only on the
 * page.
 */
const selectFromSeries = (from: string) =>
  `${from} join meetings other on other.id = v.meeting_id where other.series_id = m.series_id`;

/**
 * Lists each series once, with the number of its other listed meetings. Set `name` to prepare the statement if the
 * filter never varies.
 */
export async function listSeriesOnce(
  db: Queryable,
  audience: Audience,
  { filter, limit, offset, name }: ListParams & { name?: string },
): Promise<MeetingRow[]> {
  const { from, values } = selectFrom(audience, filter.project);
  const where = buildConditions(filter, values);
  const order = getOrder(filter);
  const precedes = order === 'asc' ? '<' : '>';
  const { rows } = await db.query<MeetingRow>({
    ...(name && { name }),
    text: `with page as materialized (
       select v.meeting_id, v.starts_at,
         (select count(*)::int - 1 from ${selectFromSeries(from)} and ${where}) as more_in_series
       from ${from} join meetings m on m.id = v.meeting_id
       where ${where} and not exists (
         select from ${selectFromSeries(from)} and ${where} and (other.starts_at, other.id) ${precedes} (m.starts_at, m.id)
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
  const { from, values } = selectFrom(audience, filter.project);
  const where = buildConditions(filter, values);
  const text = isOnce
    ? `select count(distinct ${SERIES_OR_MEETING_ID}) as total from ${from} join meetings m on m.id = v.meeting_id where ${where}`
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
  const { from, values } = selectFrom(audience, project);
  const dayStart = `$${values.push(day.from)}::timestamptz`;
  const dayEnd = `$${values.push(day.to)}`;
  // Counted separately: the total needs no times, and the other counts read only a range.
  const { rows } = await db.query<MeetingStats>(
    `select upcoming, total - upcoming as completed, total, today
     from (select (select count(*) from ${from}) as total,
                  (select count(*) from ${from} where ${endsAfter('now()')}) as upcoming,
                  (select count(*) from ${from} where ${endsAfter(dayStart)} and v.starts_at < ${dayEnd}) as today) counted`,
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
> & { response: RsvpStatus | null; participant_count: number };

type Range = {
  from: string;
  to: string;
  project?: string | undefined;
  caller: string;
  allUsers: boolean;
  limit: number;
};

export type UnansweredRow = CalendarRow & { pending_count: number };

/** Lists the soonest first, and each series once. The organizer is always a participant. */
export async function listUnansweredRows(
  db: Queryable,
  { organizer, until, limit, offset }: Limits & { organizer: string; until: Date },
): Promise<{ rows: UnansweredRow[]; total: number }> {
  const { rows } = await db.query<UnansweredRow & { total: number }>(
    `with organized as (
       select distinct on (${SERIES_OR_MEETING_ID}) m.id, m.starts_at, pending.pending_count
       from participants mine join meetings m on m.id = mine.meeting_id
       cross join lateral (
         select count(*)::int as pending_count from participants p
         where p.meeting_id = m.id and p.user_id <> m.organizer_id and p.response = 'pending'
       ) as pending
       where mine.user_id = $1 and m.organizer_id = $1 and mine.ends_at > now()
         and mine.starts_at > now() - ${MAX_DURATION} and mine.starts_at < $2 and pending.pending_count > 0
       order by ${SERIES_OR_MEETING_ID}, m.starts_at, m.id
     ), page as (select * from organized order by starts_at, id limit $3 offset $4)
     select ${CALENDAR_COLUMNS}, page.pending_count, (select count(*)::int from organized) as total
     from page join meetings m on m.id = page.id join participants mine on mine.meeting_id = m.id and mine.user_id = $1
     order by m.starts_at, m.id`,
    [organizer, until, limit, offset],
  );
  return { rows, total: rows[0]?.total ?? 0 };
}

const CALENDAR_COLUMNS = `m.id, m.series_id, m.title, m.type, m.starts_at, m.ends_at, m.timezone, m.location, m.meeting_link,
  m.project_id, m.room_id, ${roomNameColumn('m')}, m.organizer_id, m.version, m.ends_at <= now() as is_past,
  ${closedCondition('m')} as is_closed, mine.response,
  (select count(*)::int from participants p where p.meeting_id = m.id) as participant_count`;

/** Lists the soonest first. Queries by user have an index over the times copied to the invitations. */
export async function listCalendarRows(db: Queryable, range: Range): Promise<CalendarRow[]> {
  const { from, to, project, caller, allUsers, limit } = range;
  const values: unknown[] = [caller, from, to, limit];
  const timesTable = allUsers ? 'm' : 'mine';
  const join = allUsers ? 'left join' : 'join';
  const projectCondition = project === undefined ? '' : `and m.project_id = $${values.push(project)}`;
  const { rows } = await db.query<CalendarRow>(
    `select ${CALENDAR_COLUMNS}
     from meetings m ${join} participants mine on mine.meeting_id = m.id and mine.user_id = $1
     where ${timesTable}.ends_at > $2 and ${timesTable}.starts_at < $3 and ${timesTable}.starts_at > $2::timestamptz - ${MAX_DURATION} ${projectCondition}
     order by ${timesTable}.starts_at, m.id
     limit $4`,
    values,
  );
  return rows;
}
