import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** Records the current revision as the one that requests RSVPs. */
export async function recordRsvpRequest(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `insert into asked_meetings (meeting_id, sequence)
     select m.id, coalesce(s.sequence, m.sequence) from meetings m left join series s on s.id = m.series_id where m.id = $1
     on conflict (meeting_id) do update set sequence = excluded.sequence`,
    [id],
  );
}

export async function recordSeriesRsvpRequest(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `insert into asked_series (series_id, sequence) select id, sequence from series where id = $1
     on conflict (series_id) do update set sequence = excluded.sequence`,
    [id],
  );
}

/** SQL for a row `m`: the revision that last requested RSVPs, for the meeting or its series; 0 for the first. */
export const LAST_RSVP_REQUEST = `greatest(
  (select a.sequence from asked_meetings a where a.meeting_id = m.id),
  (select a.sequence from asked_series a where a.series_id = m.series_id), 0)`;
