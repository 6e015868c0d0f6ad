import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** One item as the database has it; the clock times follow from the meeting's start and the minutes of those before. */
export type AgendaItem = { title: string; minutes: number; userId: string | null };

/** As a column of `meetings m`. */
export const AGENDA_ITEMS = '(select a.items from agendas a where a.meeting_id = m.id) as agenda_items';

const KEEP = `insert into agendas (meeting_id, items) select id, $2::jsonb from unnest($1::text[]) as given (id)
  where $2::jsonb <> '[]' or exists (select from agendas where meeting_id = id)
  on conflict (meeting_id) do update set items = excluded.items where agendas.items <> excluded.items
  returning meeting_id as id`;

/** Answers the meetings that had another agenda before. */
export async function keepAgendas(
  tx: Queryable,
  meetingIds: readonly string[],
  items: AgendaItem[],
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(KEEP, [meetingIds, JSON.stringify(items)]);
  return rows.map(({ id }) => id);
}

/** What the meetings that a series is filled with later begin with. */
export async function keepSeriesAgenda(tx: Queryable, seriesId: string, items: AgendaItem[]): Promise<void> {
  await tx.query(
    `insert into series_agendas (series_id, items) values ($1, $2::jsonb)
     on conflict (series_id) do update set items = excluded.items`,
    [seriesId, JSON.stringify(items)],
  );
}

/** A series that another one is continued by, or that a meeting becomes, hands its agenda on: before the first meeting is made of it. */
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

/** As the row has them; the order of their keys is the database's. */
export const itemsOf = ({ agenda_items }: { agenda_items: AgendaItem[] | null }): AgendaItem[] =>
  (agenda_items ?? []).map(({ title, minutes, userId }) => ({ title, minutes, userId }));
