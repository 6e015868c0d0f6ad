import { createHash } from 'node:crypto';
import { writeCalendar } from '@atrium/calendar/write-calendar';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { notFound, unavailable } from '@atrium/service-kit/errors/app-error';
import type { HttpExchange } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { deleteFeeds, type FeedRow, findFeedByToken, hashToken } from './feed-repository.ts';
import { listUserEvents, toCalendarUser } from './user-events.ts';
import { getCalendarState, listUserMeetings } from './user-meetings.ts';

/** Part of the ETag: increment when the calendar format changes. */
const FORMAT_VERSION = 2;
/** A hint to calendar clients; Google refreshes only a few times per day. */
const REFRESH_INTERVAL = 'PT15M';

const FEED_UNAVAILABLE = 'Calendars cannot be read right now. Please try again in a moment.';

/**
 * Responds with 304 based on one query, without generating the calendar. Unknown and revoked tokens get the same response. Throws
 * `unavailable` while the directory is stale, because a feed URL does not expire like an access token.
 */
export async function readFeed(deps: Deps, token: string, { req, res }: HttpExchange): Promise<string | undefined> {
  const { db, directory, directoryMaxAgeMs } = deps;
  if (directory.ageMs() > directoryMaxAgeMs) throw unavailable(FEED_UNAVAILABLE);
  const feed = await findFeedByToken(db, hashToken(token));
  const person = feed && directory.user(feed.user_id);
  if (!feed || !person) throw notFound();
  if (!isActive(person)) {
    // The old URL stays revoked if the user is reactivated.
    await deleteFeeds(db, [feed.user_id]);
    throw notFound();
  }
  // Read before the meetings, so that a concurrent change leads to a new ETag next time and is never missed.
  const { state, userIds } = await getCalendarState(db, person._id);
  const named = [person._id, ...userIds].map((id) => toCalendarUser(directory.user(id)));
  const tag = toEtag([FORMAT_VERSION, feed.created_at, nameOf(person), person.timezone, state, named]);
  res.setHeader('ETag', tag);
  res.setHeader('Cache-Control', 'private, no-cache');
  if (matchesEtag(req.headers['if-none-match'], tag)) return undefined;
  res.setHeader('Content-Disposition', 'inline; filename="atrium.ics"');
  return writeFeed(deps, feed, person);
}

export async function writeFeed(
  { db, directory }: Pick<Deps, 'db' | 'directory'>,
  feed: Pick<FeedRow, 'created_at'>,
  person: DirectoryUser,
): Promise<string> {
  const own = await listUserMeetings(db, { userId: person._id });
  const events = await listUserEvents(db, { directory, userId: person._id }, own);
  return writeCalendar({
    stamp: stampOf(own, feed.created_at),
    events,
    feed: { name: nameOf(person), timezone: person.timezone, refreshInterval: REFRESH_INTERVAL },
  });
}

const nameOf = ({ firstName, lastName }: DirectoryUser): string => `Atrium: ${firstName} ${lastName}`.trim();

/** The time of the last change, so that an unchanged calendar has identical text. */
export function stampOf(own: readonly { updated_at: Date }[], otherwise: Date): string {
  const latest = Math.max(...own.map(({ updated_at }) => updated_at.getTime()));
  return (own.length === 0 ? otherwise : new Date(latest)).toISOString();
}

/** Weak: time zone definitions come from the runtime and can differ between pods. */
const toEtag = (parts: readonly unknown[]) =>
  `W/"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32)}"`;

/** `If-None-Match` compares without regard to weakness (RFC 9110, section 13.1.2). */
function matchesEtag(ifNoneMatch: string | undefined, tag: string): boolean {
  const opaque = (etag: string) => etag.trim().replace(/^W\//, '');
  return (ifNoneMatch ?? '').split(',').some((etag) => etag.trim() === '*' || opaque(etag) === opaque(tag));
}
