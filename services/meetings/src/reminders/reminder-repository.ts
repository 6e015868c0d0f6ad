import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type EarlyReminders, USUAL_MINUTES } from './early-reminders.ts';

/** A participant who has not been reminded of this start. */
export type UpcomingParticipant = { meeting_id: string; user_id: string; starts_at: Date };

/** Reminders delayed by a restart or an outage are still sent this long after the start. */
const MAX_DELAY = `interval '1 minute'`;

const NOT_REMINDED = `p.response <> 'declined' and p.reminded_of is distinct from p.starts_at`;

/**
 * Uses the database clock, which is returned: participants of meetings within the default lead time, and of users with a longer one those
 * within theirs.
 */
export async function listUpcoming(
  db: Queryable,
  early: EarlyReminders,
): Promise<{ now: Date; coming: UpcomingParticipant[] }> {
  const { rows } = await db.query<UpcomingParticipant & { now: Date }>({
    name: 'list-coming',
    text: `select coming.*, now() as now from (
             select p.meeting_id, p.user_id, p.starts_at
             from meetings m join participants p on p.meeting_id = m.id
             where m.starts_at > now() - ${MAX_DELAY} and m.starts_at <= now() + make_interval(mins => $1) and ${NOT_REMINDED}
             union all
             select p.meeting_id, p.user_id, p.starts_at
             from unnest($2::text[], $3::int[]) as early (user_id, minutes) join participants p on p.user_id = early.user_id
             where p.starts_at > now() + make_interval(mins => $1)
               and p.starts_at <= now() + make_interval(mins => early.minutes) and ${NOT_REMINDED}
           ) as coming order by starts_at, meeting_id, user_id`,
    values: [USUAL_MINUTES, [...early.keys()], [...early.values()]],
  });
  return { now: rows[0]?.now ?? new Date(), coming: rows };
}

/**
 * Claims reminders for the transaction. Skips rows locked by another pod, an RSVP, or a move until the next round. Returns the claimed
 * ones.
 */
export async function takeReminders(
  tx: Queryable,
  due: readonly UpcomingParticipant[],
): Promise<UpcomingParticipant[]> {
  const { rows } = await tx.query<UpcomingParticipant>(
    `with mine as (
       select p.meeting_id, p.user_id from participants p
       join unnest($1::text[], $2::text[], $3::timestamptz[]) as due (meeting_id, user_id, starts_at)
         on due.meeting_id = p.meeting_id and due.user_id = p.user_id
       where date_trunc('milliseconds', p.starts_at) = due.starts_at
         and p.response <> 'declined' and p.reminded_of is distinct from p.starts_at
       for update of p skip locked
     )
     update participants p set reminded_of = p.starts_at from mine
     where p.meeting_id = mine.meeting_id and p.user_id = mine.user_id
     returning p.meeting_id, p.user_id, p.starts_at`,
    [due.map(({ meeting_id }) => meeting_id), due.map(({ user_id }) => user_id), due.map(({ starts_at }) => starts_at)],
  );
  return rows;
}
