import type { RequestOf } from '@atrium/proto-events/endpoint';
import { meetingResponded } from '@atrium/proto-events/events/meetings';
import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import type { respondToMeeting as respondContract } from '@atrium/proto-events/http/meetings';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { listOtherViewers, publishOccurrenceChanges } from '../events/change-events.ts';
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
 * With a scope, also responds to the upcoming dates of the series; a past meeting then represents its series, since emails are often read
 * late. Repeating an RSVP only makes earlier ones by email stale.
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
    const mine = row.participants.find((person) => person.id === caller.userId);
    if (mine?.response === body.status && scope === 'this') {
      await touchRsvp(tx, row.id, caller.userId);
      return presentMeeting(directory, caller, row);
    }
    const rsvp = { userId: caller.userId, response: body.status };
    const upcoming = await listOtherOccurrences(tx, row, { scope, userId: caller.userId });
    const first = row.is_past ? upcoming[0] : row.id;
    if (first === undefined) throw new AppError('conflict', PAST_MEETING);
    const others = upcoming.filter((otherId) => otherId !== first);
    await setRsvp(tx, [first, ...others], rsvp);
    const after = await readMeeting(tx, first);
    await publishResponse(tx, after, { userId: caller.userId, status: body.status, others });
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
  others: readonly string[];
};

/** Also used for RSVPs by email; `row` is the updated meeting. */
export async function publishResponse(
  tx: Queryable,
  row: MeetingRow,
  { userId, status, others }: ResponseEvent,
): Promise<void> {
  const series = row.series_id === null ? undefined : await findSeries(tx, row.series_id);
  const meetingIds = [row.id, ...others];
  const stale = status === 'declined' ? await findDeclinedReminders(tx, { userId, meetingIds }) : {};
  const aggregate = series?.calendar_id ?? row.id;
  await appendEvent(tx, {
    event: meetingResponded,
    data: {
      meetingId: row.id,
      title: row.title,
      userId,
      status,
      organizerId: row.organizer_id,
      participantIds: idsOf(row.participants),
      version: row.version,
      ...stale,
    },
    aggregate,
    actorId: userId,
  });
  const viewers = await listOtherViewers(tx, row.id, others);
  await publishOccurrenceChanges(tx, viewers, { aggregate, actorId: userId });
}
