import { writeCalendar } from '@atrium/calendar/write-calendar';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { HttpExchange } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import type { Scope } from '../meetings/series-part.ts';
import { findMeeting } from '../model/meeting-repository.ts';
import { assertVisible, isInvited } from '../model/policy.ts';
import { findSeries } from '../model/series-repository.ts';
import { stampOf } from './read-feed.ts';
import { listUserEvents, occurrenceEvent } from './user-events.ts';
import { listUserMeetings } from './user-meetings.ts';

export async function writeMeetingFile(
  { db, directory }: Deps,
  caller: Caller,
  { id, scope, exchange: { res } }: { id: string; scope: Scope; exchange: HttpExchange },
): Promise<string> {
  const meeting = assertVisible(caller, await findMeeting(db, id));
  const { userId } = caller;
  const [allUsers, seriesId] = [!isInvited(caller, meeting), meeting.series_id];
  const context = { directory, userId };
  const isWhole = seriesId !== null && scope !== 'this';
  const listed = await listUserMeetings(db, { userId, allUsers, ...(isWhole ? { seriesId } : { meetingId: id }) });
  const own = scope === 'following' ? listed.filter(({ starts_at }) => starts_at >= meeting.starts_at) : listed;
  const [first] = own;
  // Deleted between the two reads.
  if (!first) throw notFound('Meeting');
  const events =
    seriesId !== null && !isWhole
      ? [occurrenceEvent(context, await findSeries(db, seriesId), first)]
      : await listUserEvents(db, context, own);
  res.setHeader('Content-Disposition', 'attachment; filename="meeting.ics"');
  return writeCalendar({ stamp: stampOf(own, meeting.updated_at), events });
}
