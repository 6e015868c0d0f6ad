import { createHash } from 'node:crypto';
import { writeCalendar } from '@atrium/calendar/write-calendar';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { notFound, unavailable } from '@atrium/service-kit/http/app-error';
import type { HttpContext } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { type FeedRow, findFeedByToken, removeFeeds } from './feed-repository.ts';
import { hashToken } from './feed-token.ts';
import { ownEvents, personOf } from './user-events.ts';
import { listOwn, stateOfOwn } from './user-meetings.ts';

/** Counts up with every change of how a calendar is written: what programs hold of before is another one then. */
const FORMAT = 2;
/** How often programs are asked to look. What they do is theirs: Google comes a few times a day. */
const EVERY = 'PT15M';

const IMPOSSIBLE = 'Calendars cannot be read right now. Please try again in a moment.';

/**
 * The meetings of whose address it is, or nothing where whoever asks has them as they are: that is found out by one statement over the
 * person's own meetings, and no calendar is made for it. Nobody is told whether an address has ever been one. Throws `unavailable` once it has not
 * been heard for long whom others have shut out: an address has no access token that ends by itself.
 */
export async function readFeed(deps: Deps, token: string, { req, res }: HttpContext): Promise<string | undefined> {
  const { db, directory, directoryMaxAgeMs } = deps;
  if (directory.ageMs() > directoryMaxAgeMs) throw unavailable(IMPOSSIBLE);
  const feed = await findFeedByToken(db, hashToken(token));
  const person = feed && directory.user(feed.user_id);
  if (!feed || !person) throw notFound();
  if (!isActive(person)) {
    // Should they come back, the address of before stays dead.
    await removeFeeds(db, [feed.user_id]);
    throw notFound();
  }
  // Before the meetings are read: what changes in between makes the next look find something new, and is never missed.
  const { state, userIds } = await stateOfOwn(db, person._id);
  const named = [person._id, ...userIds].map((id) => personOf(directory.user(id)));
  const tag = tagOf([FORMAT, feed.created_at, nameOf(person), person.timezone, state, named]);
  res.setHeader('ETag', tag);
  // May be kept, and is asked for again each time.
  res.setHeader('Cache-Control', 'private, no-cache');
  if (isHeld(req.headers['if-none-match'], tag)) return undefined;
  res.setHeader('Content-Disposition', 'inline; filename="atrium.ics"');
  return writeFeed(deps, feed, person);
}

/** The calendar of a person, as they subscribe to it. */
export async function writeFeed(
  { db, directory }: Pick<Deps, 'db' | 'directory'>,
  feed: Pick<FeedRow, 'created_at'>,
  person: DirectoryUser,
): Promise<string> {
  const own = await listOwn(db, { userId: person._id });
  const events = await ownEvents(db, { directory, userId: person._id }, own);
  return writeCalendar({
    stamp: stampOf(own, feed.created_at),
    events,
    feed: { name: nameOf(person), timezone: person.timezone, every: EVERY },
  });
}

const nameOf = ({ firstName, lastName }: DirectoryUser): string => `Atrium: ${firstName} ${lastName}`.trim();

/** When something was last changed, not when somebody asked: the same calendar is the same text. */
export function stampOf(own: readonly { updated_at: Date }[], otherwise: Date): string {
  const latest = Math.max(...own.map(({ updated_at }) => updated_at.getTime()));
  return (own.length === 0 ? otherwise : new Date(latest)).toISOString();
}

/** Weak: zones are described by the runtime's own tables, which pods of two releases may have in two editions. */
const tagOf = (parts: readonly unknown[]) =>
  `W/"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32)}"`;

/** `If-None-Match` compares without regard to weakness (RFC 9110, section 13.1.2). */
function isHeld(given: string | undefined, tag: string): boolean {
  const opaque = (one: string) => one.trim().replace(/^W\//, '');
  return (given ?? '').split(',').some((one) => one.trim() === '*' || opaque(one) === opaque(tag));
}
