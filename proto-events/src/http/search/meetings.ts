import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, time } from '../../fields.ts';
import { foundOf, foundTexts, searchQuery } from '../found.ts';

export const foundMeeting = z.object({
  _id: id,
  ...foundTexts,
  startTime: time,
  endTime: time,
  isRecurring: z.boolean(),
});
export type FoundMeeting = z.infer<typeof foundMeeting>;

export const searchMeetings = endpoint({
  method: 'GET',
  path: '/meetings/search',
  summary:
    'Search the meetings that the caller can see by title, description, agenda, and minutes, and tolerate typos in titles. Of a series, the matching meeting that is closest to now',
  access: 'user',
  query: searchQuery,
  response: foundOf(foundMeeting),
  status: 200,
});
