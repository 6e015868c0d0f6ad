import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Response } from '../meetings/meeting-repository.ts';
import { LAST_RSVP_REQUEST } from '../meetings/rsvp-requests.ts';

export type RsvpTarget = { id: string; response: Response };

/** The occurrence the rule has at that start, or else the last one. */
export async function findSeriesTarget(
  tx: Queryable,
  calendarId: string,
  recurrenceId: string | null,
): Promise<{ id: string } | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    `select m.id from series s join meetings m on m.series_id = s.id
     where s.calendar_id = $1 and ($2::timestamptz is null or m.original_start = $2)
     order by m.original_start desc limit 1`,
    [calendarId, recurrenceId],
  );
  return rows[0];
}

type RsvpTargetParams = { userId: string; stamp: string; sequence: number; seriesId?: string; meetingId?: string };

/** Upcoming invitations without a later RSVP request or RSVP. */
export async function findRsvpTargets(
  tx: Queryable,
  { userId, stamp, sequence, seriesId, meetingId }: RsvpTargetParams,
): Promise<RsvpTarget[]> {
  const { rows } = await tx.query<RsvpTarget>(
    `select m.id, p.response
     from meetings m join participants p on p.meeting_id = m.id and p.user_id = $1
     where (m.id = $3 or m.series_id = $4) and m.ends_at > now() and (p.answered_at is null or p.answered_at < $2)
       and ${LAST_RSVP_REQUEST} <= $5
     order by m.starts_at, m.id`,
    [userId, stamp, meetingId ?? null, seriesId ?? null, sequence],
  );
  return rows;
}

/** The time of the RSVP is capped at now: a sender clock that is ahead must not block later RSVPs. */
export async function setRsvpFromEmail(
  tx: Queryable,
  open: readonly RsvpTarget[],
  { userId, status, stamp }: { userId: string; status: Response; stamp: string },
): Promise<void> {
  await tx.query(
    `update participants set response = $3, answered_at = least($4::timestamptz, now()) where meeting_id = any($1) and user_id = $2`,
    [open.map(({ id }) => id), userId, status, stamp],
  );
  const changed = open.filter(({ response }) => response !== status).map(({ id }) => id);
  await tx.query('update meetings set version = version + 1, updated_at = now() where id = any($1)', [changed]);
}
