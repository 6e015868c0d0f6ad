import { createHash } from 'node:crypto';
import { writeCalendar } from '@atrium/calendar/write-calendar';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { notFound, unavailable } from '@atrium/service-kit/errors/app-error';
import type { HttpExchange } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { listUserEvents, toCalendarUser } from './calendar-entries.ts';
import { accessFeed, deleteFeeds, type FeedRow, hashToken } from './feed-repository.ts';
import { getCalendarState, listUserMeetings } from './user-meetings.ts';

/** Part of the ETag: increment when the calendar format changes. */
const FORMAT_VERSION = 2;
/** Suggests a refresh interval to calendar clients; Google refreshes only a few times per day. */
const REFRESH_INTERVAL = 'PT15M';

const FEED_UNAVAILABLE = 'Calendars cannot be read right now. Please try again in a moment.';

/**
 * Responds with 304 based on one query, without generating the calendar. Unknown and revoked tokens receive the same
 * response. Throws `unavailable` while the directory is stale, because a feed URL does not expire like an access token.
 */
export async function readFeed(deps: Deps, token: string, { req, res }: HttpExchange): Promise<string | undefined> {
  const { db, directory, directoryMaxAgeMs } = deps;
  if (directory.ageMs() > directoryMaxAgeMs) throw unavailable(FEED_UNAVAILABLE);
  const feed = await accessFeed(db, hashToken(token));
  const owner = feed && directory.user(feed.user_id);
  if (!feed || !owner) throw notFound();
  if (!isActive(owner)) {
    // The old URL stays revoked if the user is reactivated.
    await deleteFeeds(db, [feed.user_id]);
    throw notFound();
  }
  // The state is read before the meetings, so that a concurrent change leads to a new ETag next time and is never
  // missed.
  const { state, userIds } = await getCalendarState(db, owner._id);
  const namedUsers = [owner._id, ...userIds].map((id) => toCalendarUser(directory.user(id)));
  const etag = toEtag([FORMAT_VERSION, feed.created_at, getFeedName(owner), owner.timezone, state, namedUsers]);
  res.setHeader('ETag', etag);
  res.setHeader('Cache-Control', 'private, no-cache');
  if (matchesEtag(req.headers['if-none-match'], etag)) return undefined;
  res.setHeader('Content-Disposition', 'inline; filename="atrium.ics"');
  return writeFeed(deps, feed, owner);
}

export async function writeFeed(
  { db, directory }: Pick<Deps, 'db' | 'directory'>,
  feed: Pick<FeedRow, 'created_at'>,
  owner: DirectoryUser,
): Promise<string> {
  const meetings = await listUserMeetings(db, { userId: owner._id });
  const events = await listUserEvents(db, { directory, userId: owner._id }, meetings);
  return writeCalendar({
    stamp: getCalendarStamp(meetings, feed.created_at),
    events,
    feed: { name: getFeedName(owner), timezone: owner.timezone, refreshInterval: REFRESH_INTERVAL },
  });
}

const getFeedName = ({ firstName, lastName }: DirectoryUser): string => `Atrium: ${firstName} ${lastName}`.trim();

/** Returns the time of the last change, so that an unchanged calendar has identical text. */
export function getCalendarStamp(meetings: readonly { updated_at: Date }[], fallback: Date): string {
  const latest = Math.max(...meetings.map(({ updated_at }) => updated_at.getTime()));
  return (meetings.length === 0 ? fallback : new Date(latest)).toISOString();
}

/** Returns a weak ETag: time zone definitions come from the runtime and can differ between pods. */
const toEtag = (parts: readonly unknown[]) =>
  `W/"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32)}"`;

/** `If-None-Match` compares without regard to weakness (RFC 9110, section 13.1.2). */
function matchesEtag(ifNoneMatch: string | undefined, currentEtag: string): boolean {
  const toOpaqueTag = (etag: string) => etag.trim().replace(/^W\//, '');
  const current = toOpaqueTag(currentEtag);
  return (ifNoneMatch ?? '').split(',').some((etag) => etag.trim() === '*' || toOpaqueTag(etag) === current);
}
