import type { EventOf } from '@atrium/proto-events/event';
import { meetingReplied } from '@atrium/proto-events/events/notifications';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findMeeting, lockMeetingWithSeries, type MeetingRow } from '../meetings/meeting-repository.ts';
import { publishResponse } from '../meetings/respond-to-meeting.ts';
import { findSeries } from '../series/series-repository.ts';
import { findRsvpTargets, findSeriesTarget, type RsvpTarget, setRsvpFromEmail } from './reply-repository.ts';

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
  const [first] = changed;
  if (!first) return;
  await publishRsvp(tx, reply, { first, others: changed.slice(1).map(({ id }) => id) });
}

/** The meeting, the occurrence named in the reply, or any one of the series. */
async function findTarget(tx: Queryable, { calendarId, recurrenceId }: Reply): Promise<{ id: string } | undefined> {
  const ofSeries = await findSeriesTarget(tx, calendarId, recurrenceId);
  if (ofSeries) return ofSeries;
  const alone: MeetingRow | undefined = recurrenceId === null ? await findMeeting(tx, calendarId) : undefined;
  return alone?.series_id === null ? alone : undefined;
}

/**
 * The current revision, or an earlier one with the same start, since a new title keeps RSVPs valid. Each row records whether RSVPs were
 * requested again since.
 */
function isCurrent({ sequence, startTime }: Reply, known: { sequence: number; first_start: Date }): boolean {
  const isSameTime = startTime !== null && Date.parse(startTime) === known.first_start.getTime();
  return isSameTime
    ? sequence === null || sequence <= known.sequence
    : startTime === null && sequence === known.sequence;
}

async function publishRsvp(
  tx: Queryable,
  { userId, status }: Reply,
  { first, others }: { first: RsvpTarget; others: readonly string[] },
): Promise<void> {
  const row = await findMeeting(tx, first.id);
  if (row) await publishResponse(tx, row, { userId, status, others });
}

export const replyHandlers = [on(meetingReplied, applyEmailRsvp)];
