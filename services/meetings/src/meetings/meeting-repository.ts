import type { Frequency, Recurrence } from '@atrium/proto-events/recurrence';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { AGENDA_ITEMS, type AgendaItem } from '../agenda/agenda-repository.ts';

export type MeetingType = 'team-meeting' | 'one-on-one' | 'project-review' | 'standup' | 'retrospective' | 'other';
export type Response = 'pending' | 'accepted' | 'declined' | 'tentative';

/** What a meeting is about: what a series hands on to its occurrences. */
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

/** A meeting with its people, and of its series what an answer shows. */
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
  /** What was decided there is kept with it: it is neither moved nor deleted. */
  is_closed: boolean;
  room_name: string | null;
  /** Only in a list with each series once. */
  more_in_series?: number;
  frequency: Frequency | null;
  recurrence: Recurrence | null;
  series_timezone: string | null;
  last_day: string | null;
  participants: { id: string; response: Response }[];
  /** Null where it never had any. */
  agenda_items: AgendaItem[] | null;
};

/** Of a meeting or a series; also of a room that was deleted since. */
export function roomName(of: string): string {
  return `(select r.name from rooms r where r.id = ${of}.room_id) as room_name`;
}

export function isClosed(of: string): string {
  return `exists (select from closings c where c.meeting_id = ${of}.id)`;
}

/** A check constraint of the table. What ends after a given time starts at most this long before it, so a range is a range of starts. */
export const MAX_DURATION = `interval '24 hours'`;

/** Columns of `meetings m` with its series and, in the order of their invitation, its people. */
export const COLUMNS = `m.*, m.ends_at <= now() as is_past, ${isClosed('m')} as is_closed, s.frequency, s.recurrence, s.timezone as series_timezone, s.last_day, ${roomName('m')}, ${AGENDA_ITEMS}, (
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

/** A meeting that must be there. */
export async function readMeeting(tx: Queryable, id: string): Promise<MeetingRow> {
  const row = await findMeeting(tx, id);
  if (!row) throw new Error('the meeting just written is not there');
  return row;
}

/**
 * Locks a meeting, and its series before it, until the transaction ends: whoever changes either waits. Read after the lock, for a
 * statement that waits would show the people as they were when it began.
 */
export async function lockMeetingWithSeries(tx: Queryable, id: string): Promise<MeetingRow | undefined> {
  const seriesId = await seriesOf(tx, id);
  if (seriesId === undefined) return undefined;
  if (seriesId !== null) {
    await tx.query('select 1 from series where id = $1 for update', [seriesId]);
    // A split that committed while we waited has moved it; to lock it before its new series could end in a deadlock.
    if ((await seriesOf(tx, id)) !== seriesId) return lockMeetingWithSeries(tx, id);
  }
  await lockMeetingOnly(tx, id);
  const row = await findMeeting(tx, id);
  return row && row.series_id !== seriesId ? lockMeetingWithSeries(tx, id) : row;
}

/** Holds a meeting alone, and not its series, until the transaction ends: before its decisions, by everybody. */
export async function lockMeetingOnly(tx: Queryable, id: string): Promise<void> {
  await tx.query('select 1 from meetings where id = $1 for update', [id]);
}

/** Null for a meeting that stands alone, undefined for none at all. */
async function seriesOf(tx: Queryable, meetingId: string): Promise<string | null | undefined> {
  const { rows } = await tx.query<{ series_id: string | null }>('select series_id from meetings where id = $1', [
    meetingId,
  ]);
  return rows[0]?.series_id;
}

export type NewMeetings = Details & {
  /** Their ids and starts. */
  occurrences: { id: string; start: Date }[];
  series_id: string | null;
  durationMs: number;
  timezone: string;
  organizer_id: string;
  participant_ids: string[];
  /** What people have answered to the series already; who is not in it is asked. */
  answers?: ReadonlyMap<string, Response>;
};

/** Of meetings and of the series that they are made of. */
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

/** Inserts meetings that differ in nothing but their start, with their people: the organiser accepted, who has not answered pending. */
export async function insertMeetings(tx: Queryable, given: NewMeetings): Promise<void> {
  const ids = given.occurrences.map(({ id }) => id);
  await tx.query(
    `insert into meetings (id, series_id, original_start, starts_at, ends_at, timezone, organizer_id, ${DETAIL_COLUMNS.join(', ')})
     select g.id, $3, case when $3::text is null then null else g.start end, g.start,
            g.start + $4 * interval '1 millisecond', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
     from unnest($1::text[], $2::timestamptz[]) as g (id, start)`,
    [
      ids,
      given.occurrences.map(({ start }) => start),
      given.series_id,
      given.durationMs,
      given.timezone,
      given.organizer_id,
      ...DETAIL_COLUMNS.map((column) => given[column]),
    ],
  );
  // The people of a meeting beside each other, as they are read.
  await tx.query(
    `insert into participants (meeting_id, user_id, position, response, starts_at, ends_at)
     select m.id, p.user_id, p.position, case when p.user_id = m.organizer_id then 'accepted' else p.response end,
            m.starts_at, m.ends_at
     from meetings m cross join unnest($2::text[], $3::text[]) with ordinality as p (user_id, response, position)
     where m.id = any($1) order by m.starts_at, p.position`,
    [ids, given.participant_ids, given.participant_ids.map((id) => given.answers?.get(id) ?? 'pending')],
  );
}

export type MeetingChange = Partial<
  Details & { starts_at: Date; ends_at: Date; timezone: string; notes: string; summary: string; sequence: number }
>;

/** Writes the same change to each of the meetings and counts their versions up. */
export async function changeMeetings(tx: Queryable, ids: readonly string[], change: MeetingChange): Promise<void> {
  const columns = Object.keys(change);
  const sets = columns.map((column, index) => `${column} = $${index + 2}`);
  await tx.query(
    `update meetings set ${[...sets, 'updated_at = now()', 'version = version + 1', 'edited_version = version + 1'].join(', ')}
     where id = any($1)`,
    [ids, ...Object.values(change)],
  );
  if (change.starts_at || change.ends_at) await syncParticipantTimes(tx, ids);
}

/**
 * Repeats the meetings' times in their people's rows; who was reminded of another start is reminded anew. Where it asks `again`, answers
 * are taken back as by `askAgain`, in the same write: there may be hundreds of people for each of hundreds of meetings.
 */
export async function syncParticipantTimes(
  tx: Queryable,
  ids: readonly string[],
  { again = false } = {},
): Promise<void> {
  await tx.query(
    `update participants p set starts_at = m.starts_at, ends_at = m.ends_at,
            reminded_of = case when p.starts_at = m.starts_at then p.reminded_of end,
            response = case when $2 and p.user_id <> m.organizer_id then 'pending' else p.response end
     from meetings m where m.id = p.meeting_id and m.id = any($1)
       and (p.starts_at <> m.starts_at or p.ends_at <> m.ends_at
            or ($2 and p.response <> 'pending' and p.user_id <> m.organizer_id))`,
    [ids, again],
  );
}

/** Makes `userIds` the people of each of the meetings, in this order; who stays keeps their answer. Rows that are right stay as they are. */
export async function replacePeople(tx: Queryable, ids: readonly string[], userIds: readonly string[]): Promise<void> {
  await tx.query('delete from participants where meeting_id = any($1) and user_id <> all($2)', [ids, userIds]);
  const { rows } = await tx.query<{ user_id: string; times: number; first: number; last: number }>(
    `select user_id, count(*) as times, min(position) as first, max(position) as last
     from participants where meeting_id = any($1) group by user_id`,
    [ids],
  );
  const known = new Map(rows.map((row) => [row.user_id, row]));
  const wanted = risingPlaces(userIds, (userId) => known.get(userId)?.first);
  const misplaced = wanted.filter(({ userId, place }) => {
    const { first = place, last = place } = known.get(userId) ?? {};
    return first !== place || last !== place;
  });
  const missing = wanted.filter(({ userId }) => (known.get(userId)?.times ?? 0) < ids.length);
  if (misplaced.length > 0)
    await tx.query(
      `update participants p set position = w.place from unnest($2::text[], $3::int[]) as w (user_id, place)
       where p.meeting_id = any($1) and p.user_id = w.user_id and p.position <> w.place`,
      [ids, ...columnsOf(misplaced)],
    );
  if (missing.length > 0)
    await tx.query(
      `insert into participants (meeting_id, user_id, position, starts_at, ends_at, is_guest)
       select m.id, w.user_id, w.place, m.starts_at, m.ends_at, not coalesce(w.user_id = any(s.participant_ids), true)
       from meetings m left join series s on s.id = m.series_id
       cross join unnest($2::text[], $3::int[]) as w (user_id, place)
       where m.id = any($1)
         and not exists (select from participants p where p.meeting_id = m.id and p.user_id = w.user_id)`,
      [ids, ...columnsOf(missing)],
    );
}

type Placed = { userId: string; place: number };

/** Rising places for people in their order: those that they have, where these rise. Most changes leave the order as it is. */
function risingPlaces(userIds: readonly string[], placeOf: (userId: string) => number | undefined): Placed[] {
  let place = 0;
  return userIds.map((userId) => {
    place = Math.max(place + 1, placeOf(userId) ?? 0);
    return { userId, place };
  });
}

const columnsOf = (placed: readonly Placed[]) => [placed.map(({ userId }) => userId), placed.map(({ place }) => place)];

/** The time changed: everybody but the organiser is asked again. */
export async function resetRsvps(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update participants p set response = 'pending' from meetings m
     where m.id = p.meeting_id and m.id = any($1) and p.user_id <> m.organizer_id and p.response <> 'pending'`,
    [ids],
  );
}

/** Records one person's answer to each of the meetings; an answer counts in the version, not as an edit. */
export async function setRsvp(
  tx: Queryable,
  ids: readonly string[],
  given: { userId: string; response: Response },
): Promise<void> {
  await tx.query('update participants set response = $3 where meeting_id = any($1) and user_id = $2', [
    ids,
    given.userId,
    given.response,
  ]);
  await tx.query('update meetings set version = version + 1, updated_at = now() where id = any($1)', [ids]);
}

/** Notes that somebody gave the answer that they had given before. */
export async function touchRsvp(tx: Queryable, id: string, userId: string): Promise<void> {
  await tx.query('update participants set answered_at = now() where meeting_id = $1 and user_id = $2', [id, userId]);
}

export async function removeMeetings(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query('delete from meetings where id = any($1)', [ids]);
}
