import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** An item starts when the preceding items have taken their minutes. */
export type AgendaItem = { title: string; minutes: number; userId: string | null };

export const AGENDA_ITEMS = '(select a.items from agendas a where a.meeting_id = m.id) as agenda_items';

const SAVE = `insert into agendas (meeting_id, items) select id, $2::jsonb from unnest($1::text[]) as meeting (id)
  where $2::jsonb <> '[]' or exists (select from agendas where meeting_id = id)
  on conflict (meeting_id) do update set items = excluded.items where agendas.items <> excluded.items
  returning meeting_id as id`;

export async function saveAgendas(
  tx: Queryable,
  meetingIds: readonly string[],
  items: AgendaItem[],
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(SAVE, [meetingIds, JSON.stringify(items)]);
  return rows.map(({ id }) => id);
}

/** Saves the agenda for occurrences that will be created later. */
export async function saveSeriesAgenda(tx: Queryable, seriesId: string, items: AgendaItem[]): Promise<void> {
  await tx.query(
    `insert into series_agendas (series_id, items) values ($1, $2::jsonb)
     on conflict (series_id) do update set items = excluded.items`,
    [seriesId, JSON.stringify(items)],
  );
}

/** Call before the first occurrence of the new series is inserted. */
export async function copyAgenda(
  tx: Queryable,
  from: { seriesId: string } | { meetingId: string },
  toSeriesId: string,
): Promise<void> {
  const [table, column, id] =
    'seriesId' in from ? ['series_agendas', 'series_id', from.seriesId] : ['agendas', 'meeting_id', from.meetingId];
  await tx.query(
    `insert into series_agendas (series_id, items) select $2, items from ${table} where ${column} = $1
     on conflict do nothing`,
    [id, toSeriesId],
  );
}

/** Rebuilds each item, because jsonb does not preserve key order. */
export const toAgendaItems = ({ agenda_items }: { agenda_items: AgendaItem[] | null }): AgendaItem[] =>
  (agenda_items ?? []).map(({ title, minutes, userId }) => ({ title, minutes, userId }));
