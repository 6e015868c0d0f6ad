import type { EventOf } from '@atrium/proto-events/event';
import { meetingReplied } from '@atrium/proto-events/events/notifications';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findMeeting, lockMeetingWithSeries, type MeetingRow } from '../meetings/meeting-repository.ts';
import { announceAnswer } from '../meetings/respond-to-meeting.ts';
import { findSeries } from '../series/series-repository.ts';
import { type Answered, findAnswered, seriesByCalendar, setRsvpFromEmail } from './reply-repository.ts';

type Reply = EventOf<typeof meetingReplied>['data'];

/**
 * Takes an answer that came by mail as one that was given here, where it still is one: to the time that holds, of somebody who is invited,
 * to what is to come, and newer than what they answered since. Everything else is left alone; the organiser hears of no more than happens.
 */
export async function applyEmailRsvp({ data: reply }: { data: Reply }, tx: Queryable): Promise<void> {
  const target = await findTarget(tx, reply);
  if (!target) return;
  const locked = await lockMeetingWithSeries(tx, target.id);
  if (!locked || locked.organizer_id === reply.userId) return;
  const series = locked.series_id === null ? undefined : await findSeries(tx, locked.series_id);
  const isWhole = series !== undefined && reply.recurrenceId === null;
  const known = isWhole ? series : { sequence: series?.sequence ?? locked.sequence, first_start: locked.starts_at };
  if (!isOfNow(reply, known)) return;
  const scope = isWhole ? { seriesId: series.id } : { meetingId: locked.id };
  // An answer to the first revision need not say so (RFC 5546, section 3.2.3).
  const { userId, stamp, sequence } = reply;
  const open = await findAnswered(tx, { ...scope, userId, stamp, sequence: sequence ?? 0 });
  const changed = open.filter(({ response }) => response !== reply.status);
  await setRsvpFromEmail(tx, open, reply);
  const [first] = changed;
  if (!first) return;
  await announce(tx, reply, { first, others: changed.slice(1).map(({ id }) => id) });
}

/** The meeting itself, the one of a series that the reply names, or any of the series. */
async function findTarget(tx: Queryable, { calendarId, recurrenceId }: Reply): Promise<{ id: string } | undefined> {
  const ofSeries = await seriesByCalendar(tx, calendarId, recurrenceId);
  if (ofSeries) return ofSeries;
  const alone: MeetingRow | undefined = recurrenceId === null ? await findMeeting(tx, calendarId) : undefined;
  return alone?.series_id === null ? alone : undefined;
}

/** The revision of now, or an earlier one that had the same start: another title takes no answer back. Whether people were asked anew since, each row says. */
function isOfNow({ sequence, startTime }: Reply, known: { sequence: number; first_start: Date }): boolean {
  const isSameTime = startTime !== null && Date.parse(startTime) === known.first_start.getTime();
  return isSameTime
    ? sequence === null || sequence <= known.sequence
    : startTime === null && sequence === known.sequence;
}

async function announce(
  tx: Queryable,
  { userId, status }: Reply,
  { first, others }: { first: Answered; others: readonly string[] },
): Promise<void> {
  const row = await findMeeting(tx, first.id);
  if (row) await announceAnswer(tx, row, { userId, status, others });
}

export const replyReactions = [on(meetingReplied, applyEmailRsvp)];
