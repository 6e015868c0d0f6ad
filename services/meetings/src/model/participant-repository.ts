import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export type RsvpStatus = 'pending' | 'accepted' | 'declined' | 'tentative';

/**
 * Copies the times to the participants; those reminded of a different start are reminded again. With `rsvpReset`, also
 * resets RSVPs like `resetRsvps`, in the same write, which can cover hundreds of participants of hundreds of meetings.
 */
export async function syncParticipantTimes(
  tx: Queryable,
  ids: readonly string[],
  { rsvpReset = false } = {},
): Promise<void> {
  await tx.query(
    `update participants p set starts_at = m.starts_at, ends_at = m.ends_at,
            reminded_start = case when p.starts_at = m.starts_at then p.reminded_start end,
            response = case when $2 and p.user_id <> m.organizer_id then 'pending' else p.response end
     from meetings m where m.id = p.meeting_id and m.id = any($1)
       and (p.starts_at <> m.starts_at or p.ends_at <> m.ends_at
            or ($2 and p.response <> 'pending' and p.user_id <> m.organizer_id))`,
    [ids, rsvpReset],
  );
}

export async function replaceParticipants(
  tx: Queryable,
  ids: readonly string[],
  userIds: readonly string[],
): Promise<void> {
  await tx.query('delete from participants where meeting_id = any($1) and user_id <> all($2)', [ids, userIds]);
  const { rows } = await tx.query<{ user_id: string; times: number; first: number; last: number }>(
    `select user_id, count(*) as times, min(position) as first, max(position) as last
     from participants where meeting_id = any($1) group by user_id`,
    [ids],
  );
  const currentRows = new Map(rows.map((row) => [row.user_id, row]));
  const positioned = assignPositions(userIds, (userId) => currentRows.get(userId)?.first);
  const misplaced = positioned.filter(({ userId, position }) => {
    const { first = position, last = position } = currentRows.get(userId) ?? {};
    return first !== position || last !== position;
  });
  const missing = positioned.filter(({ userId }) => (currentRows.get(userId)?.times ?? 0) < ids.length);
  if (misplaced.length > 0)
    await tx.query(
      `update participants p set position = w.position from unnest($2::text[], $3::int[]) as w (user_id, position)
       where p.meeting_id = any($1) and p.user_id = w.user_id and p.position <> w.position`,
      [ids, ...toColumns(misplaced)],
    );
  if (missing.length > 0)
    await tx.query(
      `insert into participants (meeting_id, user_id, position, starts_at, ends_at, is_guest)
       select m.id, w.user_id, w.position, m.starts_at, m.ends_at, not coalesce(w.user_id = any(s.participant_ids), true)
       from meetings m left join series s on s.id = m.series_id
       cross join unnest($2::text[], $3::int[]) as w (user_id, position)
       where m.id = any($1)
         and not exists (select from participants p where p.meeting_id = m.id and p.user_id = w.user_id)`,
      [ids, ...toColumns(missing)],
    );
}

type PositionedUser = { userId: string; position: number };

/** Assigns ascending positions, and reuses current ones where possible, since most changes keep the order. */
function assignPositions(
  userIds: readonly string[],
  getCurrentPosition: (userId: string) => number | undefined,
): PositionedUser[] {
  let position = 0;
  return userIds.map((userId) => {
    position = Math.max(position + 1, getCurrentPosition(userId) ?? 0);
    return { userId, position };
  });
}

const toColumns = (users: readonly PositionedUser[]) => [
  users.map(({ userId }) => userId),
  users.map(({ position }) => position),
];

export async function resetRsvps(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update participants p set response = 'pending' from meetings m
     where m.id = p.meeting_id and m.id = any($1) and p.user_id <> m.organizer_id and p.response <> 'pending'`,
    [ids],
  );
}

/** Increments the version, but does not count as an edit. */
export async function setRsvp(
  tx: Queryable,
  ids: readonly string[],
  { userId, response }: { userId: string; response: RsvpStatus },
): Promise<void> {
  await tx.query('update participants set response = $3 where meeting_id = any($1) and user_id = $2', [
    ids,
    userId,
    response,
  ]);
  await tx.query('update meetings set version = version + 1, updated_at = now() where id = any($1)', [ids]);
}

export async function touchRsvp(tx: Queryable, id: string, userId: string): Promise<void> {
  await tx.query('update participants set answered_at = now() where meeting_id = $1 and user_id = $2', [id, userId]);
}

export async function recordRsvpRequest(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `insert into rsvp_requests (meeting_id, sequence)
     select m.id, coalesce(s.sequence, m.sequence) from meetings m left join series s on s.id = m.series_id where m.id = $1
     on conflict (meeting_id) do update set sequence = excluded.sequence`,
    [id],
  );
}

export async function recordSeriesRsvpRequest(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `insert into series_rsvp_requests (series_id, sequence) select id, sequence from series where id = $1
     on conflict (series_id) do update set sequence = excluded.sequence`,
    [id],
  );
}

/** Selects the revision that last requested RSVPs to a row `m` or its series; 0 for the first. */
export const LAST_RSVP_REQUEST = `greatest(
  (select a.sequence from rsvp_requests a where a.meeting_id = m.id),
  (select a.sequence from series_rsvp_requests a where a.series_id = m.series_id), 0)`;
