import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { CalendarOccurrence } from '../events/calendar-object.ts';
import { idsOf, roomNameColumn } from '../model/meeting-repository.ts';
import { listSeries, type SeriesRow } from '../model/series-repository.ts';

export type UserMeeting = Omit<CalendarOccurrence, 'original_start' | 'user_ids'> & {
  series_id: string | null;
  original_start: Date | null;
  organizer_id: string;
  sequence: number;
  updated_at: Date;
  user_ids: string[];
};

/** Selects the meetings a user is invited to, as in `GET /meetings`, or one series for an uninvited administrator. */
type UserMeetingFilter = { userId: string; seriesId?: string; meetingId?: string; allUsers?: boolean };

/**
 * Past meetings stay for a quarter, since calendar clients remove what a feed no longer contains. Series without an end
 * reach 12 months ahead. The limit is a whole day, so that the feed changes only at midnight.
 */
const SINCE = `date_trunc('day', now(), 'UTC') - interval '90 days'`;

/** Larger meetings list only the owner, which keeps the feed from growing to megabytes. */
export const MAX_NAMED_PARTICIPANTS = 100;
/** Limits the size of a feed; later meetings appear as these pass. */
const MAX_FEED_MEETINGS = 5_000;

export async function listUserMeetings(db: Queryable, filter: UserMeetingFilter): Promise<UserMeeting[]> {
  const values: unknown[] = [filter.userId, MAX_NAMED_PARTICIPANTS, MAX_FEED_MEETINGS];
  const isNarrowed = filter.seriesId !== undefined || filter.meetingId !== undefined;
  const where = [
    ...(filter.seriesId === undefined ? [] : [`m.series_id = $${values.push(filter.seriesId)}`]),
    ...(filter.meetingId === undefined ? [] : [`m.id = $${values.push(filter.meetingId)}`]),
    ...(filter.allUsers
      ? []
      : [
          `m.id in (select p.meeting_id from participants p where p.user_id = $1${isNarrowed ? '' : ` and p.ends_at > ${SINCE}`})`,
        ]),
  ];
  const { rows } = await db.query<UserMeeting>(
    `select m.id, m.series_id, m.original_start, m.starts_at, m.ends_at, m.timezone,
            m.title, m.description, m.agenda, m.location, m.meeting_link, ${roomNameColumn('m')},
            m.organizer_id, m.sequence, m.updated_at, people.ids as user_ids, coalesce(people.rsvps, '{}') as rsvps
     from meetings m cross join lateral (
       select array_agg(q.user_id order by q.position) as ids,
              json_object_agg(q.user_id, q.response) filter (where q.response <> 'pending' and q.user_id <> m.organizer_id) as rsvps
       from participants q
       where q.meeting_id = m.id and (q.user_id in ($1, m.organizer_id)
         or (select count(*) from (select 1 from participants c where c.meeting_id = m.id limit $2 + 1) as c) <= $2)
     ) people
     where ${where.join(' and ')} order by m.starts_at, m.id limit $3`,
    values,
  );
  return rows;
}

type CalendarState = {
  /** Changes whenever the meetings do. */
  state: string;
  /** The users that the calendar can name. */
  userIds: string[];
};

/**
 * Returns a fingerprint of everything a calendar shows, without generating it: the versions of meetings and rooms, and
 * the revision of each series, which counts canceled occurrences.
 */
export async function getCalendarState(db: Queryable, userId: string): Promise<CalendarState> {
  const { rows } = await db.query<{ state: string | null; user_ids: string[] }>({
    name: 'calendar-state',
    text: `with own as (
             select m.id, m.version, m.room_id, m.organizer_id, m.series_id
             from participants p join meetings m on m.id = p.meeting_id where p.user_id = $1 and p.ends_at > ${SINCE}
           ), of_series as (
             select id, sequence, organizer_id, participant_ids from series where id in (select series_id from own)
           )
           select
             (select encode(sha256(convert_to(
                string_agg(row(m.id, m.version, m.room_id, r.version, s.sequence)::text, ',' order by m.id), 'UTF8')), 'base64')
              from own m left join of_series s on s.id = m.series_id left join rooms r on r.id = m.room_id) as state,
             array(
               select organizer_id from own union select organizer_id from of_series
               union select unnest(participant_ids) from of_series where cardinality(participant_ids) <= $2
               union select unnest(people.ids) from own cross join lateral (
                 select array_agg(counted.user_id) as ids
                 from (select user_id from participants where meeting_id = own.id limit $2 + 1) as counted
               ) people where cardinality(people.ids) <= $2
               order by 1
             ) as user_ids`,
    values: [userId, MAX_NAMED_PARTICIPANTS],
  });
  return { state: rows[0]?.state ?? 'nothing', userIds: rows[0]?.user_ids ?? [] };
}

export type UserSeries = Span & { series: SeriesRow; meetings: UserMeeting[]; missingStarts: Date[] };

export async function listUserSeries(db: Queryable, meetings: readonly UserMeeting[]): Promise<UserSeries[]> {
  const bySeries = Map.groupBy(
    meetings.filter(({ series_id }) => series_id !== null),
    ({ series_id }) => series_id ?? '',
  );
  if (bySeries.size === 0) return [];
  const spans = [...bySeries].map(([id, ownMeetings]) => ({ id, ...getSpan(ownMeetings) }));
  const uninvitedStarts = await listMissingStarts(db, spans, meetings);
  return (await listSeries(db, [...bySeries.keys()])).map((series) => {
    const ownMeetings = bySeries.get(series.id) ?? [];
    const { first, last } = getSpan(ownMeetings);
    const canceledStarts = series.excluded.filter((start) => start >= first && start <= last);
    return {
      series,
      meetings: ownMeetings,
      first,
      last,
      missingStarts: [...canceledStarts, ...(uninvitedStarts.get(series.id) ?? [])],
    };
  });
}

type Span = { first: Date; last: Date };

function getSpan(meetings: readonly UserMeeting[]): Span {
  const starts = meetings.map(({ original_start }) => Number(original_start));
  return { first: new Date(Math.min(...starts)), last: new Date(Math.max(...starts)) };
}

async function listMissingStarts(
  db: Queryable,
  spans: readonly (Span & { id: string })[],
  meetings: readonly UserMeeting[],
): Promise<Map<string, Date[]>> {
  const { rows } = await db.query<{ series_id: string; starts: Date[] }>(
    `select m.series_id, array_agg(m.original_start) as starts
     from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as span (series_id, first, last)
     join meetings m on m.series_id = span.series_id and m.original_start between span.first and span.last
     where m.id <> all($4) group by m.series_id`,
    [idsOf(spans), spans.map(({ first }) => first), spans.map(({ last }) => last), idsOf(meetings)],
  );
  return new Map(rows.map(({ series_id, starts }) => [series_id, starts]));
}
