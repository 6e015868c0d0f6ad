import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Response } from '../meetings/meeting-repository.ts';
import type { SeriesRow } from './series-repository.ts';

/** What people have answered to a series as a whole; who is not in it has not answered, or answers each meeting. */
export type SeriesAnswers = ReadonlyMap<string, Exclude<Response, 'pending'>>;

/** By so many of its last dates: an answer to one of them alone is none to the series. */
const LAST_DATES = 3;

/**
 * What holds for the dates that a series gets later, in lists and in calendars: what most of its last dates are answered with. Whoever
 * answers all, or this and the following, has answered these; a change of time takes all answers back.
 */
export async function readSeriesRsvps(
  tx: Queryable,
  { id, participant_ids, organizer_id }: Pick<SeriesRow, 'id' | 'participant_ids' | 'organizer_id'>,
): Promise<SeriesAnswers> {
  const { rows } = await tx.query<{ user_id: string; response: Exclude<Response, 'pending'> }>(
    `with last as materialized (
       select id from meetings where series_id = $1 and ends_at > now() order by original_start desc limit ${LAST_DATES}
     )
     select p.user_id, p.response from last join participants p on p.meeting_id = last.id
     where p.response <> 'pending' and p.user_id = any($2) and p.user_id <> $3
     group by p.user_id, p.response having count(*) * 2 > (select count(*) from last)`,
    [id, participant_ids, organizer_id],
  );
  return new Map(rows.map(({ user_id, response }) => [user_id, response]));
}
