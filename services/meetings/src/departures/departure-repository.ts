import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { closedCondition, idsOf, listIds } from '../model/meeting-repository.ts';

const OPEN = `m.ends_at > now() and not ${closedCondition('m')}`;

export async function listOpenSeriesIds(tx: Queryable, userId: string): Promise<string[]> {
  return listIds(
    tx,
    `select s.id from series s
     where $1 = any(s.participant_ids) and exists (select from meetings m where m.series_id = s.id and ${OPEN})
     union
     select m.series_id from participants p join meetings m on m.id = p.meeting_id
     where p.user_id = $1 and p.ends_at > now() and m.series_id is not null and ${OPEN}
     order by id`,
    [userId],
  );
}

export async function listOpenMeetingIds(tx: Queryable, userId: string): Promise<string[]> {
  return listIds(
    tx,
    `select m.id from participants p join meetings m on m.id = p.meeting_id
     where p.user_id = $1 and p.ends_at > now() and m.series_id is null and ${OPEN} order by m.id`,
    [userId],
  );
}

/** Returns the ids with the latest original start first. */
export async function listOpenOccurrenceIds(tx: Queryable, seriesId: string): Promise<string[]> {
  return listIds(tx, `select m.id from meetings m where m.series_id = $1 and ${OPEN} order by m.original_start desc`, [
    seriesId,
  ]);
}

const WITHOUT_PRESENTER = `(
  select jsonb_agg(case when item ->> 'userId' = $1 then item || '{"userId": null}' else item end order by position)
  from jsonb_array_elements(items) with ordinality as element (item, position))`;
const HAS_PRESENTER = "items @> jsonb_build_array(jsonb_build_object('userId', $1::text))";

export async function clearPresenter(tx: Queryable, userId: string): Promise<string[][]> {
  await tx.query(`update series_agendas set items = ${WITHOUT_PRESENTER} where ${HAS_PRESENTER}`, [userId]);
  const { rows } = await tx.query<{ id: string; series_id: string | null }>(
    `update agendas a set items = ${WITHOUT_PRESENTER} from meetings m
     where m.id = a.meeting_id and ${HAS_PRESENTER} and ${OPEN} returning m.id, m.series_id`,
    [userId],
  );
  const groups = Map.groupBy(rows, ({ id, series_id }) => series_id ?? id);
  return [...groups.values()].map((group) => idsOf(group));
}

export async function listMeetingIdsByPresenter(tx: Queryable, userId: string): Promise<string[]> {
  return listIds(
    tx,
    `select m.id from agendas a join meetings m on m.id = a.meeting_id
     where ${HAS_PRESENTER} and ${OPEN} order by m.series_id nulls last, m.id`,
    [userId],
  );
}

type Handover = { userId: string; organizerId: string | undefined };

/** Removes the user. A new organizer takes their position in the list, with an accepted RSVP. */
export async function removeParticipant(
  tx: Queryable,
  ids: readonly string[],
  { userId, organizerId }: Handover,
): Promise<void> {
  if (organizerId !== undefined) {
    await tx.query('update meetings set organizer_id = $3 where id = any($1) and organizer_id = $2', [
      ids,
      userId,
      organizerId,
    ]);
    await tx.query(
      `insert into participants (meeting_id, user_id, position, response, starts_at, ends_at)
       select p.meeting_id, $3, p.position, 'accepted', p.starts_at, p.ends_at
       from participants p where p.meeting_id = any($1) and p.user_id = $2
       on conflict (meeting_id, user_id) do update set response = 'accepted'`,
      [ids, userId, organizerId],
    );
  }
  await tx.query('delete from participants where meeting_id = any($1) and user_id = $2', [ids, userId]);
}
