import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { idParams, time } from '../fields.ts';
import { seriesScope } from './meeting-fields.ts';

/** The media type of calendars (RFC 5545, section 8.1). */
export const CALENDAR_TYPE = 'text/calendar';

/** A person's own feed; null where there is none. */
export const feed = z.object({
  createdAt: time,
  readAt: time.nullable().describe('When a calendar program last asked, to within an hour; null for never'),
});
export type Feed = z.infer<typeof feed>;

/** The secret of a feed: 32 random bytes in base64url. */
export const feedToken = z.string().regex(/^[\w-]{43}$/, 'Invalid token');

export const getFeed = endpoint({
  method: 'GET',
  path: '/meetings/feed',
  summary: 'Whether your meetings can be subscribed to, and since when',
  access: 'user',
  response: z.object({ feed: feed.nullable() }),
  status: 200,
});

export const createFeed = endpoint({
  method: 'POST',
  path: '/meetings/feed',
  summary:
    'Make an address by which a calendar program reads your meetings; it is told once, and ends the one of before',
  access: 'user',
  response: z.object({ feed, token: z.string() }),
  status: 201,
});

export const deleteFeed = endpoint({
  method: 'DELETE',
  path: '/meetings/feed',
  summary: 'End the address by which calendar programs read your meetings',
  access: 'user',
  status: 204,
});

export const readFeed = endpoint({
  method: 'GET',
  path: '/meetings/feed/:token.ics',
  summary:
    'The meetings of whose address this is, as a calendar to subscribe to; the address is the only thing asked for',
  access: 'public',
  params: z.object({ token: feedToken }),
  response: z.string().describe('A calendar (RFC 5545)'),
  media: CALENDAR_TYPE,
  status: 200,
  alternateStatus: 304,
});

export const getMeetingCalendar = endpoint({
  method: 'GET',
  path: '/meetings/:id/calendar.ics',
  summary: 'One meeting as a calendar file, or with a scope its series',
  access: 'user',
  params: idParams,
  query: z.object({ scope: seriesScope }),
  response: z.string().describe('A calendar (RFC 5545)'),
  media: CALENDAR_TYPE,
  status: 200,
  errors: ['not_found'],
});
