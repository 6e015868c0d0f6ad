import type { Frequency, Recurrence, Rule } from '@atrium/proto-events/recurrence/rule';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { closedCondition, DETAIL_COLUMNS, type Details, idsOf, listIds, roomNameColumn } from './meeting-repository.ts';

export type SeriesRow = Details & {
  id: string;
  calendar_id: string;
  sequence: number;
  frequency: Frequency;
  recurrence: Recurrence;
  first_start: Date;
  duration_ms: number;
  timezone: string;
  last_day: string | null;
  excluded: Date[];
  filled_until: Date | null;
  complete: boolean;
  organizer_id: string;
  participant_ids: string[];
  room_name?: string | null;
};

const COLUMNS: readonly (keyof SeriesRow)[] = [
  'id',
  'calendar_id',
  'sequence',
  'frequency',
  'recurrence',
  'first_start',
  'duration_ms',
  'timezone',
  'last_day',
  'excluded',
  'filled_until',
  'complete',
  ...DETAIL_COLUMNS,
  'organizer_id',
  'participant_ids',
];

export async function insertSeries(tx: Queryable, series: SeriesRow): Promise<void> {
  await tx.query(
    `insert into series (${COLUMNS.join(', ')}) values (${COLUMNS.map((_, index) => `$${index + 1}`).join(', ')})`,
    COLUMNS.map((column) => series[column]),
  );
}

export async function listSeries(db: Queryable, ids: readonly string[]): Promise<SeriesRow[]> {
  const { rows } = await db.query<SeriesRow>(
    `select s.*, ${roomNameColumn('s')} from series s where s.id = any($1) order by s.id`,
    [ids],
  );
  return rows;
}

export async function findSeries(tx: Queryable, id: string): Promise<SeriesRow> {
  const { rows } = await tx.query<SeriesRow>(`select s.*, ${roomNameColumn('s')} from series s where s.id = $1`, [id]);
  const row = rows[0];
  if (!row) throw new Error('Series of a meeting not found');
  return row;
}

export async function updateSeriesRow(
  tx: Queryable,
  series: SeriesRow,
  change: Partial<Omit<SeriesRow, 'id'>>,
): Promise<SeriesRow> {
  const sets = Object.keys(change).map((column, index) => `${column} = $${index + 2}`);
  await tx.query(`update series set ${sets.join(', ')} where id = $1`, [series.id, ...Object.values(change)]);
  return { ...series, ...change };
}

export async function deleteSeries(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from series where id = $1', [id]);
}

export async function findFirstOccurrenceId(tx: Queryable, seriesId: string): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    'select id from meetings where series_id = $1 order by original_start limit 1',
    [seriesId],
  );
  if (!rows[0]) throw new Error('Series has no occurrence');
  return rows[0].id;
}

/** Selects open meetings `m` of a series, neither past nor closed, optionally from a start of the rule on. */
const OPEN_FROM = `m.series_id = $1 and m.ends_at > now() and not ${closedCondition('m')}
  and ($2::timestamptz is null or m.original_start >= $2)`;

export async function listDetailVariants(tx: Queryable, seriesId: string, from: Date | undefined): Promise<Details[]> {
  const { rows } = await tx.query<Details>(
    `select distinct ${DETAIL_COLUMNS.join(', ')} from meetings m where ${OPEN_FROM}`,
    [seriesId, from ?? null],
  );
  return rows;
}

export async function listOpenFrom(tx: Queryable, seriesId: string, from: Date | undefined): Promise<string[]> {
  return listIds(tx, `select m.id from meetings m where ${OPEN_FROM}`, [seriesId, from ?? null]);
}

export async function listUpcomingOfUser(
  tx: Queryable,
  { seriesId, userId, from }: { seriesId: string; userId: string; from: Date | null },
): Promise<string[]> {
  return listIds(
    tx,
    `select m.id from meetings m join participants p on p.meeting_id = m.id and p.user_id = $3
     where ${OPEN_FROM} order by m.original_start`,
    [seriesId, from, userId],
  );
}

export async function listStartsAfter(tx: Queryable, seriesId: string, after: Date): Promise<Date[]> {
  const { rows } = await tx.query<{ original_start: Date }>(
    'select original_start from meetings where series_id = $1 and original_start > $2',
    [seriesId, after],
  );
  return rows.map(({ original_start }) => original_start);
}

const meetingExistsAfter = (series: string, timestamp: string) =>
  `exists (select from meetings m where m.series_id = ${series} and m.original_start > ${timestamp})`;

export async function hasMeetingAfter(tx: Queryable, seriesId: string, timestamp: Date): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>(`select ${meetingExistsAfter('$1', '$2')} as found`, [
    seriesId,
    timestamp,
  ]);
  return rows[0]?.found ?? false;
}

export async function moveOccurrences(
  tx: Queryable,
  moves: readonly { id: string; start: Date }[],
  { durationMs, timezone }: { durationMs: number; timezone: string },
): Promise<void> {
  await tx.query(
    `update meetings m
     set original_start = g.start, starts_at = g.start, ends_at = g.start + $3 * interval '1 millisecond', timezone = $4
     from unnest($1::text[], $2::timestamptz[]) as g (id, start) where m.id = g.id`,
    [idsOf(moves), moves.map(({ start }) => start), durationMs, timezone],
  );
}

export async function reassignOccurrences(tx: Queryable, ids: readonly string[], seriesId: string): Promise<void> {
  await tx.query('update meetings set series_id = $2 where id = any($1)', [ids, seriesId]);
}

/**
 * Locks one series that is not filled up to `horizon`, or has no meeting after `now`. Skips locked and excluded ones.
 */
export async function lockSeriesToFill(
  tx: Queryable,
  { horizon, now, excludedIds }: { horizon: Date; now: Date; excludedIds: readonly string[] },
): Promise<SeriesRow | undefined> {
  const { rows } = await tx.query<SeriesRow>(
    `select * from series
     where not complete and (filled_until < $1 or not ${meetingExistsAfter('series.id', '$3')}) and id <> all($2)
     order by filled_until limit 1 for update skip locked`,
    [horizon, excludedIds, now],
  );
  return rows[0];
}

/** Makes a meeting the first of a series. It keeps its time. */
export async function assignFirstMeeting(
  tx: Queryable,
  meetingId: string,
  { id, first_start }: Pick<SeriesRow, 'id' | 'first_start'>,
): Promise<void> {
  await tx.query('update meetings set series_id = $2, original_start = $3 where id = $1', [meetingId, id, first_start]);
}

/**
 * Finds the next remaining occurrence after the canceled one, else the previous upcoming one, else the nearest.
 * Considers only occurrences that the user is invited to, or all if no user is given.
 */
export async function findReplacementId(
  db: Queryable,
  canceledId: string,
  userId: string | undefined,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `select m.id from cancelled_dates c join meetings m on m.series_id = c.series_id
     where c.meeting_id = $1
       and ($2::text is null or exists (select from participants p where p.meeting_id = m.id and p.user_id = $2))
     order by m.ends_at > now() desc, m.original_start >= c.original_start desc,
              abs(extract(epoch from m.original_start - c.original_start)) limit 1`,
    [canceledId, userId ?? null],
  );
  return rows[0]?.id;
}

export async function transferCanceledOccurrences(
  tx: Queryable,
  { seriesId, from }: { seriesId: string; from: Date | undefined },
  toSeriesId: string,
): Promise<void> {
  await tx.query(
    `update cancelled_dates set series_id = $2 where series_id = $1 and ($3::timestamptz is null or original_start >= $3)`,
    [seriesId, toSeriesId, from ?? null],
  );
}

export const getRule = ({ frequency, recurrence }: Pick<SeriesRow, 'frequency' | 'recurrence'>): Rule => ({
  frequency,
  ...recurrence,
});

export const toRuleColumns = ({ frequency, interval, weekdays, monthlyOn }: Rule) => ({
  frequency,
  recurrence: { interval, weekdays, monthlyOn },
});
