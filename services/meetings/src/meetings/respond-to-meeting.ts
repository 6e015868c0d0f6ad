import type { RequestOf } from '@atrium/proto-events/endpoint';
import { meetingResponded } from '@atrium/proto-events/events/meetings';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { respondToMeeting as respondContract } from '@atrium/proto-events/http/meetings/meetings';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { appendOccurrenceChanges, listOtherViewers } from '../events/append-meeting-events.ts';
import { idsOf, lockMeetingWithSeries, type MeetingRow, readMeeting } from '../model/meeting-repository.ts';
import { setRsvp, touchRsvp } from '../model/participant-repository.ts';
import { assertVisible, isInvited } from '../model/policy.ts';
import { presentMeeting } from '../model/present-meeting.ts';
import { findSeries, listUpcomingOfUser } from '../model/series-repository.ts';
import { findDeclinedReminders } from '../reminders/stale-reminders.ts';
import type { Scope } from './series-part.ts';

type Body = RequestOf<typeof respondContract>['body'];

const PAST_MEETING = 'You can no longer respond to a past meeting';

/**
 * Responds to one meeting or, with a scope, also to upcoming occurrences of its series. A past meeting then represents
 * its series, since emails are often read late. Repeating an RSVP only makes earlier RSVPs by email stale.
 */
export async function respondToMeeting(
  { db, directory }: Deps,
  caller: Caller,
  { id, scope, body }: { id: string; scope: Scope; body: Body },
): Promise<Meeting> {
  return db.transaction(async (tx) => {
    const row = assertVisible(caller, await lockMeetingWithSeries(tx, id));
    assertCanRespond(caller, row, scope);
    if (body.startTime !== undefined && Date.parse(body.startTime) !== row.starts_at.getTime()) {
      const current = presentMeeting(directory, caller, row);
      throw new AppError('stale_version', 'The time of this meeting has changed in the meantime', { current });
    }
    const participant = row.participants.find(({ id: userId }) => userId === caller.userId);
    if (participant?.response === body.status && scope === 'this') {
      await touchRsvp(tx, row.id, caller.userId);
      return presentMeeting(directory, caller, row);
    }
    const rsvp = { userId: caller.userId, response: body.status };
    const upcomingIds = await listOtherOccurrences(tx, row, { scope, userId: caller.userId });
    const firstId = row.is_past ? upcomingIds[0] : row.id;
    if (firstId === undefined) throw new AppError('conflict', PAST_MEETING);
    const otherIds = upcomingIds.filter((otherId) => otherId !== firstId);
    await setRsvp(tx, [firstId, ...otherIds], rsvp);
    const after = await readMeeting(tx, firstId);
    await appendMeetingResponded(tx, after, { userId: caller.userId, status: body.status, otherIds });
    return presentMeeting(directory, caller, after);
  });
}

function assertCanRespond(caller: Caller, row: MeetingRow, scope: Scope): void {
  if (!isInvited(caller, row)) throw new AppError('forbidden', 'Only invited people can respond to a meeting');
  if (row.is_past && (row.series_id === null || scope === 'this')) throw new AppError('conflict', PAST_MEETING);
  if (row.organizer_id === caller.userId)
    throw new AppError('conflict', 'The organizer is already attending the meeting');
}

async function listOtherOccurrences(
  tx: Queryable,
  row: MeetingRow,
  { scope, userId }: { scope: Scope; userId: string },
): Promise<string[]> {
  if (row.series_id === null || scope === 'this') return [];
  const from = scope === 'all' ? null : row.original_start;
  const ids = await listUpcomingOfUser(tx, { seriesId: row.series_id, userId, from });
  return ids.filter((id) => id !== row.id);
}

type ResponseEvent = {
  userId: string;
  status: Body['status'];
  otherIds: readonly string[];
};

/** Also used for RSVPs by email; `row` is the updated meeting. */
export async function appendMeetingResponded(
  tx: Queryable,
  row: MeetingRow,
  { userId, status, otherIds }: ResponseEvent,
): Promise<void> {
  const series = row.series_id === null ? undefined : await findSeries(tx, row.series_id);
  const meetingIds = [row.id, ...otherIds];
  const staleReminders = status === 'declined' ? await findDeclinedReminders(tx, { userId, meetingIds }) : {};
  const aggregate = series?.calendar_id ?? row.id;
  await appendEvent(tx, {
    event: meetingResponded,
    data: {
      meetingId: row.id,
      seriesId: row.series_id,
      title: row.title,
      userId,
      status,
      organizerId: row.organizer_id,
      participantIds: idsOf(row.participants),
      version: row.version,
      ...staleReminders,
    },
    aggregate,
    actorId: userId,
  });
  const viewers = await listOtherViewers(tx, row.id, otherIds);
  await appendOccurrenceChanges(tx, viewers, { aggregate, actorId: userId });
}
