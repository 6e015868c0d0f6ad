import type { EventOf } from '@atrium/proto-events/event';
import type { meetingReplied } from '@atrium/proto-events/events/notifications';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findMeeting, idsOf, lockMeetingWithSeries } from '../model/meeting-repository.ts';
import { LAST_RSVP_REQUEST, type RsvpStatus } from '../model/participant-repository.ts';
import { findSeries } from '../model/series-repository.ts';
import { appendMeetingResponded } from './respond-to-meeting.ts';

type Reply = EventOf<typeof meetingReplied>['data'];

/**
 * Records an RSVP by email like one in the app if it applies to the current time of an upcoming meeting, is from a
 * participant, and is newer than the last RSVP. Everything else is ignored.
 */
export async function applyEmailRsvp({ data: reply }: { data: Reply }, tx: Queryable): Promise<void> {
  const target = await findTarget(tx, reply);
  if (!target) return;
  const locked = await lockMeetingWithSeries(tx, target.id);
  if (!locked || locked.organizer_id === reply.userId) return;
  const series = locked.series_id === null ? undefined : await findSeries(tx, locked.series_id);
  const isForSeries = series !== undefined && reply.recurrenceId === null;
  const current = isForSeries
    ? series
    : { sequence: series?.sequence ?? locked.sequence, first_start: locked.starts_at };
  if (!isCurrent(reply, current)) return;
  const scope = isForSeries ? { seriesId: series.id } : { meetingId: locked.id };
  // Calendar applications can omit the first revision (RFC 5546, section 3.2.3).
  const { userId, stamp, sequence } = reply;
  const targets = await findRsvpTargets(tx, { ...scope, userId, stamp, sequence: sequence ?? 0 });
  const changedTargets = targets.filter(({ response }) => response !== reply.status);
  await setRsvpFromEmail(tx, targets, reply);
  const [firstId, ...otherIds] = idsOf(changedTargets);
  const row = firstId === undefined ? undefined : await findMeeting(tx, firstId);
  if (row) await appendMeetingResponded(tx, row, { userId, status: reply.status, otherIds });
}

/** Finds the meeting, the occurrence named in the reply, or any occurrence of the series. */
async function findTarget(tx: Queryable, { calendarId, recurrenceId }: Reply): Promise<{ id: string } | undefined> {
  const occurrence = await findSeriesTarget(tx, calendarId, recurrenceId);
  if (occurrence) return occurrence;
  const meeting = recurrenceId === null ? await findMeeting(tx, calendarId) : undefined;
  return meeting?.series_id === null ? meeting : undefined;
}

/**
 * Whether the reply is to the current revision, or to an earlier one with the same start. Each row records whether
 * RSVPs have been requested again since then.
 */
function isCurrent({ sequence, startTime }: Reply, current: { sequence: number; first_start: Date }): boolean {
  const isSameTime = startTime !== null && Date.parse(startTime) === current.first_start.getTime();
  return isSameTime
    ? sequence === null || sequence <= current.sequence
    : startTime === null && sequence === current.sequence;
}

type RsvpTarget = { id: string; response: RsvpStatus };

/** Finds the occurrence with that original start, or the last one if none is given. */
async function findSeriesTarget(
  tx: Queryable,
  calendarObjectId: string,
  recurrenceId: string | null,
): Promise<{ id: string } | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    `select m.id from series s join meetings m on m.series_id = s.id
     where s.calendar_id = $1 and ($2::timestamptz is null or m.original_start = $2)
     order by m.original_start desc limit 1`,
    [calendarObjectId, recurrenceId],
  );
  return rows[0];
}

type RsvpTargetParams = { userId: string; stamp: string; sequence: number; seriesId?: string; meetingId?: string };

/** Finds upcoming invitations without a later RSVP request or RSVP. */
async function findRsvpTargets(
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

/** Caps the time of the RSVP at now: a sender clock that is ahead must not block later RSVPs. */
async function setRsvpFromEmail(
  tx: Queryable,
  targets: readonly RsvpTarget[],
  { userId, status, stamp }: { userId: string; status: RsvpStatus; stamp: string },
): Promise<void> {
  await tx.query(
    `update participants set response = $3, answered_at = least($4::timestamptz, now()) where meeting_id = any($1) and user_id = $2`,
    [idsOf(targets), userId, status, stamp],
  );
  const changedIds = idsOf(targets.filter(({ response }) => response !== status));
  await tx.query('update meetings set version = version + 1, updated_at = now() where id = any($1)', [changedIds]);
}
