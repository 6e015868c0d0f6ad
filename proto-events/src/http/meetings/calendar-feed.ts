import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { idParams, time } from '../../fields.ts';
import { seriesScope } from './meeting-fields.ts';

/** The media type of calendars (RFC 5545, section 8.1). */
export const CALENDAR_TYPE = 'text/calendar';

/** A user's feed; null if there is none. */
export const feed = z.object({
  createdAt: time,
  readAt: time.nullable().describe('When a calendar application last fetched it, accurate to the hour; null if never'),
});
export type Feed = z.infer<typeof feed>;

/** The secret of a feed: 32 random bytes in base64url. */
export const feedToken = z.string().regex(/^[\w-]{43}$/, 'Invalid token');

export const getFeed = endpoint({
  method: 'GET',
  path: '/meetings/feed',
  summary: 'Get your calendar feed, if any, and its creation time',
  access: 'user',
  response: z.object({ feed: feed.nullable() }),
  status: 200,
});

export const createFeed = endpoint({
  method: 'POST',
  path: '/meetings/feed',
  summary:
    'Create a secret URL that lets calendar applications read your meetings; it is returned only once and revokes the previous one',
  access: 'user',
  response: z.object({ feed, token: z.string() }),
  status: 201,
});

export const deleteFeed = endpoint({
  method: 'DELETE',
  path: '/meetings/feed',
  summary: 'Revoke the secret URL of your calendar feed',
  access: 'user',
  status: 204,
});

export const readFeed = endpoint({
  method: 'GET',
  path: '/meetings/feed/:token.ics',
  summary: 'Get the calendar feed of a secret URL; the URL is the only credential',
  access: 'public',
  params: z.object({ token: feedToken }),
  response: z.string().describe('A calendar (RFC 5545)'),
  mediaType: CALENDAR_TYPE,
  status: 200,
  alternateStatus: 304,
});

export const getMeetingCalendar = endpoint({
  method: 'GET',
  path: '/meetings/:id/calendar.ics',
  summary: 'Get a meeting as a calendar file, or its series with a scope',
  access: 'user',
  params: idParams,
  query: z.object({ scope: seriesScope }),
  response: z.string().describe('A calendar (RFC 5545)'),
  mediaType: CALENDAR_TYPE,
  status: 200,
  errors: ['not_found'],
});
