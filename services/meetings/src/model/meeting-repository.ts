import type { Frequency, Recurrence } from '@atrium/proto-events/recurrence/rule';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { AGENDA_ITEMS, type AgendaItem } from './agenda-repository.ts';
import { type RsvpStatus, syncParticipantTimes } from './participant-repository.ts';

type MeetingType = 'team-meeting' | 'one-on-one' | 'project-review' | 'standup' | 'retrospective' | 'other';
export type Details = {
  title: string;
  description: string;
  type: MeetingType;
  location: string;
  meeting_link: string;
  agenda: string;
  project_id: string | null;
  room_id: string | null;
};

export type MeetingRow = Details & {
  id: string;
  series_id: string | null;
  original_start: Date | null;
  starts_at: Date;
  ends_at: Date;
  timezone: string;
  notes: string;
  summary: string;
  organizer_id: string;
  sequence: number;
  created_at: Date;
  updated_at: Date;
  version: number;
  edited_version: number;
  is_past: boolean;
  /** A closed meeting is neither moved nor deleted. */
  is_closed: boolean;
  room_name: string | null;
  more_in_series?: number;
  frequency: Frequency | null;
  recurrence: Recurrence | null;
  series_timezone: string | null;
  last_day: string | null;
  participants: { id: string; response: RsvpStatus }[];
  agenda_items: AgendaItem[] | null;
};

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

export async function listIds(db: Queryable, text: string, values: unknown[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(text, values);
  return idsOf(rows);
}

/** Selects the room name, even of a deleted room. */
export function roomNameColumn(alias: string): string {
  return `(select r.name from rooms r where r.id = ${alias}.room_id) as room_name`;
}

export function closedCondition(alias: string): string {
  return `exists (select from closings c where c.meeting_id = ${alias}.id)`;
}

/**
 * Enforced by a check constraint. A meeting that ends after a time starts at most this long before it, so time ranges
 * can be searched by start.
 */
export const MAX_DURATION = `interval '24 hours'`;

/** Columns of `meetings m` with its series, and with its participants in the order of invitation. */
export const COLUMNS = `m.*, m.ends_at <= now() as is_past, ${closedCondition('m')} as is_closed, s.frequency, s.recurrence, s.timezone as series_timezone, s.last_day, ${roomNameColumn('m')}, ${AGENDA_ITEMS}, (
  select json_agg(json_build_object('id', p.user_id, 'response', p.response) order by p.position)
  from participants p where p.meeting_id = m.id
) as participants`;

export async function findMeeting(db: Queryable, id: string): Promise<MeetingRow | undefined> {
  const { rows } = await db.query<MeetingRow>({
    name: 'find-meeting',
    text: `select ${COLUMNS} from meetings m left join series s on s.id = m.series_id where m.id = $1`,
    values: [id],
  });
  return rows[0];
}

export async function readMeeting(tx: Queryable, id: string): Promise<MeetingRow> {
  const row = await findMeeting(tx, id);
  if (!row) throw new Error('Meeting not found after write');
  return row;
}

/**
 * Locks series and meeting until the transaction ends, and then reads the meeting: a statement that waited for the lock
 * would see participants as of its own start.
 */
export async function lockMeetingWithSeries(tx: Queryable, id: string): Promise<MeetingRow | undefined> {
  const seriesId = await findSeriesId(tx, id);
  if (seriesId === undefined) return undefined;
  if (seriesId !== null) {
    await tx.query('select 1 from series where id = $1 for update', [seriesId]);
    // A concurrent split has moved the meeting; locking it before its new series could deadlock.
    if ((await findSeriesId(tx, id)) !== seriesId) return lockMeetingWithSeries(tx, id);
  }
  await lockMeetingWithoutSeries(tx, id);
  const row = await findMeeting(tx, id);
  return row && row.series_id !== seriesId ? lockMeetingWithSeries(tx, id) : row;
}

/** Call before locking decisions of the meeting. */
export async function lockMeetingWithoutSeries(tx: Queryable, id: string): Promise<void> {
  await tx.query('select 1 from meetings where id = $1 for update', [id]);
}

async function findSeriesId(tx: Queryable, meetingId: string): Promise<string | null | undefined> {
  const { rows } = await tx.query<{ series_id: string | null }>('select series_id from meetings where id = $1', [
    meetingId,
  ]);
  return rows[0]?.series_id;
}

type NewMeetings = Details & {
  occurrences: { id: string; start: Date }[];
  series_id: string | null;
  durationMs: number;
  timezone: string;
  organizer_id: string;
  participant_ids: string[];
  /** RSVPs to the series; other participants are pending. */
  rsvps?: ReadonlyMap<string, RsvpStatus>;
};

export const DETAIL_COLUMNS = [
  'title',
  'description',
  'type',
  'location',
  'meeting_link',
  'agenda',
  'project_id',
  'room_id',
] as const;

/**
 * Inserts meetings that differ only in their start. The organizer has accepted; participants without an RSVP are
 * pending.
 */
export async function insertMeetings(tx: Queryable, meetings: NewMeetings): Promise<void> {
  const ids = idsOf(meetings.occurrences);
  await tx.query(
    `insert into meetings (id, series_id, original_start, starts_at, ends_at, timezone, organizer_id, ${DETAIL_COLUMNS.join(', ')})
     select g.id, $3, case when $3::text is null then null else g.start end, g.start,
            g.start + $4 * interval '1 millisecond', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
     from unnest($1::text[], $2::timestamptz[]) as g (id, start)`,
    [
      ids,
      meetings.occurrences.map(({ start }) => start),
      meetings.series_id,
      meetings.durationMs,
      meetings.timezone,
      meetings.organizer_id,
      ...DETAIL_COLUMNS.map((column) => meetings[column]),
    ],
  );
  // The order groups rows by meeting, for locality of reads.
  await tx.query(
    `insert into participants (meeting_id, user_id, position, response, starts_at, ends_at)
     select m.id, p.user_id, p.position, case when p.user_id = m.organizer_id then 'accepted' else p.response end,
            m.starts_at, m.ends_at
     from meetings m cross join unnest($2::text[], $3::text[]) with ordinality as p (user_id, response, position)
     where m.id = any($1) order by m.starts_at, p.position`,
    [ids, meetings.participant_ids, meetings.participant_ids.map((id) => meetings.rsvps?.get(id) ?? 'pending')],
  );
}

type MeetingChange = Partial<
  Details & { starts_at: Date; ends_at: Date; timezone: string; notes: string; summary: string; sequence: number }
>;

export async function updateMeetingRows(tx: Queryable, ids: readonly string[], change: MeetingChange): Promise<void> {
  const columns = Object.keys(change);
  const sets = columns.map((column, index) => `${column} = $${index + 2}`);
  await tx.query(
    `update meetings set ${[...sets, 'updated_at = now()', 'version = version + 1', 'edited_version = version + 1'].join(', ')}
     where id = any($1)`,
    [ids, ...Object.values(change)],
  );
  if (change.starts_at || change.ends_at) await syncParticipantTimes(tx, ids);
}

export async function deleteMeetings(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query('delete from meetings where id = any($1)', [ids]);
}

/** Increments the revision of the calendar object (RFC 5545, 3.8.7.4), which occurrences share with their series. */
export async function incrementSequence(tx: Queryable, row: Pick<MeetingRow, 'id' | 'series_id'>): Promise<void> {
  const [table, id] = row.series_id === null ? ['meetings', row.id] : ['series', row.series_id];
  await tx.query(`update ${table} set sequence = sequence + 1 where id = $1`, [id]);
}

/** Returns the current version unless `version` predates the last edit: RSVPs since then do not make it stale. */
export const effectiveVersion = (
  { edited_version, version: current }: { edited_version: number; version: number },
  version: number | undefined,
): number | undefined => (version !== undefined && version >= edited_version && version <= current ? current : version);
