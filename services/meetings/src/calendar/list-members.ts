import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type Details, type Response, roomName } from '../meetings/meeting-repository.ts';
import type { SeriesRow } from '../series/series-repository.ts';

/** A meeting of a series as calendars tell it from the others. */
export type Member = Pick<Details, 'title' | 'description' | 'agenda' | 'location' | 'meeting_link'> & {
  id: string;
  room_name: string | null;
  original_start: Date;
  starts_at: Date;
  ends_at: Date;
  timezone: string;
  is_past: boolean;
  /** Null where they are those of the series: most are, and there may be hundreds. */
  user_ids: string[] | null;
  /** Of those who have answered, but the organiser. */
  answers: Record<string, Response>;
};

/** Meetings that ended longer ago than this are told as the rule gives them: a series would become heavier with each year. */
const PAST_DAYS = 31;

/** The meetings of a series, in the order of the rule. */
export async function listMembers(tx: Queryable, series: SeriesRow): Promise<Member[]> {
  const { rows } = await tx.query<Member>(
    `with of_series as (select array_agg(user_id order by user_id) as ids from unnest($2::text[]) as p (user_id))
     select m.id, m.original_start, m.starts_at, m.ends_at, m.timezone, m.ends_at <= now() as is_past,
            m.title, m.description, m.agenda, m.location, m.meeting_link, ${roomName('m')},
            case when p.sorted = of_series.ids then null else p.ids end as user_ids, coalesce(p.answers, '{}') as answers
     from meetings m cross join of_series cross join lateral (
       select array_agg(user_id order by user_id) as sorted, array_agg(user_id order by position) as ids,
              json_object_agg(user_id, response) filter (where response <> 'pending' and user_id <> m.organizer_id) as answers
       from participants where meeting_id = m.id
     ) p
     where m.series_id = $1 and m.ends_at > now() - $3 * interval '1 day'
     order by m.original_start`,
    [series.id, series.participant_ids, PAST_DAYS],
  );
  return rows;
}
