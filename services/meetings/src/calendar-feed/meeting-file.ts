import { writeCalendar } from '@atrium/calendar/write-calendar';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { HttpContext } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { assertVisible } from '../meetings/assert-visible.ts';
import { findMeeting } from '../meetings/meeting-repository.ts';
import { isInvited } from '../meetings/policy.ts';
import { findSeries } from '../series/series-repository.ts';
import type { Scope } from '../series/series-scope.ts';
import { stampOf } from './read-feed.ts';
import { occurrenceEvent, ownEvents } from './user-events.ts';
import { listOwn } from './user-meetings.ts';

/** One meeting as a file; with a scope its series, as whoever asks is invited to it. */
export async function meetingFile(
  { db, directory }: Deps,
  caller: Caller,
  { id, scope, exchange: { res } }: { id: string; scope: Scope; exchange: HttpContext },
): Promise<string> {
  const meeting = assertVisible(caller, await findMeeting(db, id));
  const { userId } = caller;
  const [isEverybodys, seriesId] = [!isInvited(caller, meeting), meeting.series_id];
  const context = { directory, userId };
  const isWhole = seriesId !== null && scope !== 'this';
  const listed = await listOwn(db, { userId, isEverybodys, ...(isWhole ? { seriesId } : { meetingId: id }) });
  const own = scope === 'following' ? listed.filter(({ starts_at }) => starts_at >= meeting.starts_at) : listed;
  const [one] = own;
  // Gone between the two reads.
  if (!one) throw notFound('Meeting');
  const events =
    seriesId !== null && !isWhole
      ? [occurrenceEvent(context, await findSeries(db, seriesId), one)]
      : await ownEvents(db, context, own);
  res.setHeader('Content-Disposition', 'attachment; filename="meeting.ics"');
  return writeCalendar({ stamp: stampOf(own, meeting.updated_at), events });
}
