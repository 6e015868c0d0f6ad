import { writeCalendar } from '@atrium/calendar/write-calendar';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { HttpExchange } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import type { Scope } from '../meetings/series-part.ts';
import { findMeeting } from '../model/meeting-repository.ts';
import { assertVisible, isInvited } from '../model/policy.ts';
import { findSeries } from '../model/series-repository.ts';
import { listUserEvents, toOccurrenceEvent } from './calendar-entries.ts';
import { getCalendarStamp } from './read-feed.ts';
import { listUserMeetings } from './user-meetings.ts';

export async function writeMeetingFile(
  { db, directory }: Deps,
  caller: Caller,
  { id, scope, exchange: { res } }: { id: string; scope: Scope; exchange: HttpExchange },
): Promise<string> {
  const meeting = assertVisible(caller, await findMeeting(db, id));
  const { userId } = caller;
  const allUsers = !isInvited(caller, meeting);
  const seriesId = meeting.series_id;
  const context = { directory, userId };
  const isWholeSeries = seriesId !== null && scope !== 'this';
  const listedMeetings = await listUserMeetings(db, {
    userId,
    allUsers,
    ...(isWholeSeries ? { seriesId } : { meetingId: id }),
  });
  const meetings =
    scope === 'following' ? listedMeetings.filter(({ starts_at }) => starts_at >= meeting.starts_at) : listedMeetings;
  const [firstMeeting] = meetings;
  // The meeting was deleted between the two reads.
  if (!firstMeeting) throw notFound('Meeting');
  const events =
    seriesId !== null && !isWholeSeries
      ? [toOccurrenceEvent(context, await findSeries(db, seriesId), firstMeeting)]
      : await listUserEvents(db, context, meetings);
  res.setHeader('Content-Disposition', 'attachment; filename="meeting.ics"');
  return writeCalendar({ stamp: getCalendarStamp(meetings, meeting.updated_at), events });
}
