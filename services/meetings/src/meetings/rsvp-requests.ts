import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** Notes that the people of a meeting are asked anew with the revision that it has now, in its series or alone. */
export async function recordRsvpRequest(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `insert into asked_meetings (meeting_id, sequence)
     select m.id, coalesce(s.sequence, m.sequence) from meetings m left join series s on s.id = m.series_id where m.id = $1
     on conflict (meeting_id) do update set sequence = excluded.sequence`,
    [id],
  );
}

/** The same of a series as a whole. */
export async function noteSeriesAsked(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `insert into asked_series (series_id, sequence) select id, sequence from series where id = $1
     on conflict (series_id) do update set sequence = excluded.sequence`,
    [id],
  );
}

/** The revision with which a `meetings m` was last asked anew, alone or with its series; 0 for the first. */
export const LAST_RSVP_REQUEST = `greatest(
  (select a.sequence from asked_meetings a where a.meeting_id = m.id),
  (select a.sequence from asked_series a where a.series_id = m.series_id), 0)`;
