import type { EventOf } from '@atrium/proto-events/event';
import type { meetingReplied } from '@atrium/proto-events/events/notifications';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findMeeting, idsOf, lockMeetingWithSeries } from '../model/meeting-repository.ts';
import { LAST_RSVP_REQUEST, type Response } from '../model/participant-repository.ts';
import { findSeries } from '../model/series-repository.ts';
import { publishResponse } from './respond-to-meeting.ts';

type Reply = EventOf<typeof meetingReplied>['data'];

/**
 * Records an RSVP by email like one in the app if it applies to the current time of an upcoming meeting, is from a participant, and is
 * newer than the last RSVP. Everything else is ignored.
 */
export async function applyEmailRsvp({ data: reply }: { data: Reply }, tx: Queryable): Promise<void> {
  const target = await findTarget(tx, reply);
  if (!target) return;
  const locked = await lockMeetingWithSeries(tx, target.id);
  if (!locked || locked.organizer_id === reply.userId) return;
  const series = locked.series_id === null ? undefined : await findSeries(tx, locked.series_id);
  const isWhole = series !== undefined && reply.recurrenceId === null;
  const known = isWhole ? series : { sequence: series?.sequence ?? locked.sequence, first_start: locked.starts_at };
  if (!isCurrent(reply, known)) return;
  const scope = isWhole ? { seriesId: series.id } : { meetingId: locked.id };
  // The first revision can be omitted (RFC 5546, section 3.2.3).
  const { userId, stamp, sequence } = reply;
  const open = await findRsvpTargets(tx, { ...scope, userId, stamp, sequence: sequence ?? 0 });
  const changed = open.filter(({ response }) => response !== reply.status);
  await setRsvpFromEmail(tx, open, reply);
  const [first, ...others] = idsOf(changed);
  const row = first === undefined ? undefined : await findMeeting(tx, first);
  if (row) await publishResponse(tx, row, { userId, status: reply.status, others });
}

/** The meeting, the occurrence named in the reply, or any one of the series. */
async function findTarget(tx: Queryable, { calendarId, recurrenceId }: Reply): Promise<{ id: string } | undefined> {
  const ofSeries = await findSeriesTarget(tx, calendarId, recurrenceId);
  if (ofSeries) return ofSeries;
  const single = recurrenceId === null ? await findMeeting(tx, calendarId) : undefined;
  return single?.series_id === null ? single : undefined;
}

/** The current revision, or an earlier one with the same start. Each row records whether RSVPs were requested again since. */
function isCurrent({ sequence, startTime }: Reply, known: { sequence: number; first_start: Date }): boolean {
  const isSameTime = startTime !== null && Date.parse(startTime) === known.first_start.getTime();
  return isSameTime
    ? sequence === null || sequence <= known.sequence
    : startTime === null && sequence === known.sequence;
}

type RsvpTarget = { id: string; response: Response };

/** The occurrence the rule has at that start, or else the last one. */
async function findSeriesTarget(
  tx: Queryable,
  calendarId: string,
  recurrenceId: string | null,
): Promise<{ id: string } | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    `select m.id from series s join meetings m on m.series_id = s.id
     where s.calendar_id = $1 and ($2::timestamptz is null or m.original_start = $2)
     order by m.original_start desc limit 1`,
    [calendarId, recurrenceId],
  );
  return rows[0];
}

type RsvpTargetParams = { userId: string; stamp: string; sequence: number; seriesId?: string; meetingId?: string };

/** Upcoming invitations without a later RSVP request or RSVP. */
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

/** The time of the RSVP is capped at now: a sender clock that is ahead must not block later RSVPs. */
async function setRsvpFromEmail(
  tx: Queryable,
  open: readonly RsvpTarget[],
  { userId, status, stamp }: { userId: string; status: Response; stamp: string },
): Promise<void> {
  await tx.query(
    `update participants set response = $3, answered_at = least($4::timestamptz, now()) where meeting_id = any($1) and user_id = $2`,
    [idsOf(open), userId, status, stamp],
  );
  const changed = open.filter(({ response }) => response !== status).map(({ id }) => id);
  await tx.query('update meetings set version = version + 1, updated_at = now() where id = any($1)', [changed]);
}
