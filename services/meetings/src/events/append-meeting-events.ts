import { meetingContentChanged } from '@atrium/proto-events/events/meeting-closing';
import { occurrencesChanged } from '@atrium/proto-events/events/meetings';
import { appendEvent, appendEvents } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { idsOf, type MeetingRow, readMeeting } from '../model/meeting-repository.ts';
import type { Occurrence } from '../model/occurrence-repository.ts';
import type { SeriesRow } from '../model/series-repository.ts';

/** Users whose browsers must refetch one occurrence, because no other event about its series reaches them. */
export type OccurrenceChange = { meetingId: string; userIds: readonly string[] };

/** Keeps each event far below the size that NATS accepts: an id takes 27 bytes. */
const MAX_USERS_PER_EVENT = 5_000;

type EventContext = { aggregate: string; actorId: string | null; changed?: readonly string[] };

export async function appendOccurrenceChanges(
  tx: Queryable,
  changes: readonly OccurrenceChange[],
  { aggregate, actorId, changed }: EventContext,
): Promise<void> {
  await appendEvents(
    tx,
    splitBySize(changes).map((occurrences) => ({
      event: occurrencesChanged,
      data: { occurrences, ...(changed && { changed: [...changed] }) },
      aggregate,
      actorId,
    })),
  );
}

function splitBySize(changes: readonly OccurrenceChange[]) {
  const parts: { meetingId: string; userIds: string[] }[][] = [];
  let remainingUsers = 0;
  for (const { meetingId, userIds } of changes) {
    if (userIds.length === 0) continue;
    if (remainingUsers < userIds.length + 1) {
      parts.push([]);
      remainingUsers = MAX_USERS_PER_EVENT;
    }
    parts.at(-1)?.push({ meetingId, userIds: [...userIds] });
    remainingUsers -= userIds.length + 1;
  }
  return parts;
}

/**
 * Returns the other users who see one of `otherIds`, which changed together with the meeting `id`: their guests, and
 * once each the users of the series who are not invited to that meeting. Guests have a separate index, so this does not
 * read the rows of all participants.
 */
export async function listOtherViewers(
  tx: Queryable,
  id: string,
  otherIds: readonly string[],
): Promise<OccurrenceChange[]> {
  if (otherIds.length === 0) return [];
  const { rows } = await tx.query<{ meetingId: string; userIds: string[] }>(
    `with viewers as (
       select p.meeting_id, p.user_id from participants p where p.meeting_id = any($2) and p.is_guest
         and not exists (select from participants o where o.meeting_id = $1 and o.user_id = p.user_id)
       union
       select first.meeting_id, absent.user_id
       from meetings m join series s on s.id = m.series_id cross join unnest(s.participant_ids) as absent (user_id)
       cross join lateral (
         select p.meeting_id from unnest($2::text[]) as other (id)
         join participants p on p.meeting_id = other.id and p.user_id = absent.user_id limit 1
       ) first
       where m.id = $1 and not exists (select from participants o where o.meeting_id = $1 and o.user_id = absent.user_id)
     )
     select meeting_id as "meetingId", array_agg(user_id order by user_id) as "userIds" from viewers group by meeting_id`,
    [id, otherIds],
  );
  return rows;
}

type ContentChange = {
  changed: string[];
  actorId: string | null;
  meetingIds?: readonly string[];
};

/** Fields that users edit in forms. Changing one makes open forms stale, unlike RSVPs or outcomes of decisions. */
const FORM_FIELDS = ['notes', 'summary', 'agendaItems'];

/**
 * Increments the versions and appends the changed fields, none of which is in calendars. Returns the new version of
 * `meetingId`.
 */
export async function recordContentChange(
  tx: Queryable,
  meetingId: string,
  { changed, actorId, meetingIds = [meetingId] }: ContentChange,
): Promise<number> {
  await incrementVersions(tx, meetingIds, changed);
  const row = await readMeeting(tx, meetingId);
  await appendEvent(tx, {
    event: meetingContentChanged,
    data: {
      meetingId,
      organizerId: row.organizer_id,
      participantIds: idsOf(row.participants),
      project: row.project_id,
      version: row.version,
      changed,
    },
    aggregate: meetingId,
    actorId,
  });
  const otherIds = meetingIds.filter((id) => id !== meetingId);
  const viewers = await listOtherViewers(tx, meetingId, otherIds);
  await appendOccurrenceChanges(tx, viewers, { aggregate: meetingId, actorId, changed });
  return row.version;
}

export async function incrementVersion(
  tx: Queryable,
  meetingId: string,
  changed: readonly string[],
): Promise<MeetingRow> {
  await incrementVersions(tx, [meetingId], changed);
  return readMeeting(tx, meetingId);
}

async function incrementVersions(tx: Queryable, ids: readonly string[], changed: readonly string[]): Promise<void> {
  const isEdit = changed.some((field) => FORM_FIELDS.includes(field));
  await tx.query(
    `update meetings set version = version + 1, updated_at = now(),
       edited_version = case when $2 then version + 1 else edited_version end where id = any($1)`,
    [ids, isEdit],
  );
}

type OccurrenceGuests = Pick<Occurrence, 'id' | 'user_ids'>;

/** Lists users invited to an occurrence but not to the series; no event about the series reaches them. */
export function listGuests(
  seriesUserIds: readonly string[],
  occurrences: readonly OccurrenceGuests[],
): OccurrenceChange[] {
  const invitedToSeries = new Set(seriesUserIds);
  return occurrences.flatMap(({ id, user_ids }) => {
    const userIds = user_ids?.filter((userId) => !invitedToSeries.has(userId)) ?? [];
    return userIds.length === 0 ? [] : [{ meetingId: id, userIds }];
  });
}

type SeriesState = readonly [series: Pick<SeriesRow, 'participant_ids'>, occurrences: readonly OccurrenceGuests[]];

export async function appendGuestChanges(
  tx: Queryable,
  { before, after }: { before: SeriesState; after: SeriesState },
  context: EventContext,
): Promise<void> {
  const changes = [before, after].flatMap(([series, occurrences]) => listGuests(series.participant_ids, occurrences));
  const mergedChanges = [...Map.groupBy(changes, ({ meetingId }) => meetingId)].map(([meetingId, guests]) => ({
    meetingId,
    userIds: [...new Set(guests.flatMap(({ userIds }) => userIds))],
  }));
  await appendOccurrenceChanges(tx, mergedChanges, context);
}
