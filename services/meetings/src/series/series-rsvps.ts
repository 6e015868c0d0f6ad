import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Response } from '../meetings/meeting-repository.ts';
import type { SeriesRow } from './series-repository.ts';

/** RSVPs to the whole series; other participants are pending or respond to single meetings. */
export type SeriesRsvps = ReadonlyMap<string, Exclude<Response, 'pending'>>;

/** Number of last dates considered, so that an RSVP to a single one does not count for the series. */
const LAST_DATES = 3;

/**
 * The most frequent RSVP to the last dates, which applies to dates added later. Responding to all or the following dates covers these; a
 * time change resets them.
 */
export async function readSeriesRsvps(
  tx: Queryable,
  { id, participant_ids, organizer_id }: Pick<SeriesRow, 'id' | 'participant_ids' | 'organizer_id'>,
): Promise<SeriesRsvps> {
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
