import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Told } from '../calendar/calendar-object.ts';
import { roomName } from '../meetings/meeting-repository.ts';
import { findSeries, type SeriesRow } from '../series/series-repository.ts';

/** A meeting as it stands in the calendar of one of its people; with the answers of all who have given one. */
export type OwnMeeting = Omit<Told, 'original_start' | 'user_ids'> & {
  series_id: string | null;
  original_start: Date | null;
  organizer_id: string;
  sequence: number;
  updated_at: Date;
  user_ids: string[];
};

/** Which meetings: those that a person is invited to, as `GET /meetings` lists them, or one series for an administrator who is not. */
export type OwnFilter = { userId: string; seriesId?: string; meetingId?: string; isEverybodys?: boolean };

/**
 * How long what is over stays: what a calendar program does not get any more it takes away, and a quarter is what people look back on.
 * What is to come is all there, which for a series without an end is 12 months. Whole days, so that nothing changes but at midnight.
 */
const SINCE = `date_trunc('day', now(), 'UTC') - interval '90 days'`;

/** Of more people only whoever looks is named: a calendar that lists hundreds for each meeting would be megabytes. */
export const MOST_NAMED = 100;
/** Nobody has as many; what is beyond comes as the first of these go by. */
const MOST_MEETINGS = 5_000;

export async function listOwn(db: Queryable, filter: OwnFilter): Promise<OwnMeeting[]> {
  const values: unknown[] = [filter.userId, MOST_NAMED, MOST_MEETINGS];
  const isOne = filter.seriesId !== undefined || filter.meetingId !== undefined;
  const where = [
    ...(filter.seriesId === undefined ? [] : [`m.series_id = $${values.push(filter.seriesId)}`]),
    ...(filter.meetingId === undefined ? [] : [`m.id = $${values.push(filter.meetingId)}`]),
    ...(filter.isEverybodys
      ? []
      : [
          `m.id in (select p.meeting_id from participants p where p.user_id = $1${isOne ? '' : ` and p.ends_at > ${SINCE}`})`,
        ]),
  ];
  const { rows } = await db.query<OwnMeeting>(
    `select m.id, m.series_id, m.original_start, m.starts_at, m.ends_at, m.timezone,
            m.title, m.description, m.agenda, m.location, m.meeting_link, ${roomName('m')},
            m.organizer_id, m.sequence, m.updated_at, people.ids as user_ids, coalesce(people.answers, '{}') as answers
     from meetings m cross join lateral (
       select array_agg(q.user_id order by q.position) as ids,
              json_object_agg(q.user_id, q.response) filter (where q.response <> 'pending' and q.user_id <> m.organizer_id) as answers
       from participants q
       where q.meeting_id = m.id and (q.user_id in ($1, m.organizer_id)
         or (select count(*) from (select 1 from participants c where c.meeting_id = m.id limit $2 + 1) as c) <= $2)
     ) people
     where ${where.join(' and ')} order by m.starts_at, m.id limit $3`,
    values,
  );
  return rows;
}

/**
 * Tells apart what a person's calendar is made of, without making it: other meetings, or one that was changed or answered, another room, and
 * what was cancelled. Every write of a meeting counts its version up.
 */
export async function stateOfOwn(db: Queryable, userId: string): Promise<string> {
  const { rows } = await db.query<{ state: string | null }>({
    name: 'state-of-own',
    text: `select encode(sha256(convert_to(
             string_agg(row(m.id, m.version, m.room_id, r.version, s.sequence)::text, ',' order by m.id), 'UTF8')), 'base64') as state
           from participants p join meetings m on m.id = p.meeting_id
           left join series s on s.id = m.series_id left join rooms r on r.id = m.room_id
           where p.user_id = $1 and p.ends_at > ${SINCE}`,
    values: [userId],
  });
  return rows[0]?.state ?? 'nothing';
}

/** The series of meetings, each with the starts that its rule gives from the first to the last of these and that are none of them. */
export async function listOwnSeries(
  db: Queryable,
  own: readonly OwnMeeting[],
): Promise<{ series: SeriesRow; members: OwnMeeting[]; missing: Date[] }[]> {
  const bySeries = Map.groupBy(own, ({ series_id }) => series_id);
  const found = [];
  for (const [id, members] of bySeries) {
    if (id === null) continue;
    const series = await findSeries(db, id);
    found.push({ series, members, missing: await listMissing(db, series, members) });
  }
  return found;
}

async function listMissing(db: Queryable, series: SeriesRow, members: readonly OwnMeeting[]): Promise<Date[]> {
  const starts = members.map(({ original_start }) => Number(original_start));
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const { rows } = await db.query<{ original_start: Date }>(
    'select original_start from meetings where series_id = $1 and original_start between $2 and $3 and id <> all($4)',
    [series.id, new Date(first), new Date(last), members.map(({ id }) => id)],
  );
  const cancelled = series.excluded.filter((start) => start.getTime() >= first && start.getTime() <= last);
  return [...cancelled, ...rows.map(({ original_start }) => original_start)];
}
