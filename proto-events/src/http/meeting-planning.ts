import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { boundedArray, id, time, timeInput } from '../fields.ts';

const DAY_MS = 86_400_000;
const MAX_RANGE_DAYS = 62;
/** How far ahead a time is looked for, in days. */
export const FREE_WITHIN_DAYS = 14;
/** Of the grid on which times are offered. */
export const GRID_MINUTES = 15;
/** How many times are offered. */
export const MAX_FREE_TIMES = 3;

/** A stretch of time: from `start`, up to and without `end`. */
const span = z.object({ start: time, end: time });

const people = boundedArray(
  500,
  z.array(id, { error: 'At least one person is required' }).min(1, 'At least one person is required'),
  'Busy times are shown of at most 500 people',
);
const except = id.nullable().default(null).describe('A meeting that does not count: the one that is being moved');

export const listBusyTimes = endpoint({
  method: 'POST',
  path: '/meetings/busy',
  summary: 'When people are busy, and nothing else of their meetings; what they declined does not count',
  access: 'user',
  body: z
    .object({ people, from: timeInput('Start time is required'), to: timeInput('End time is required'), except })
    .refine(({ from, to }) => to > from, { path: ['to'], error: 'End time must be after start time' })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= MAX_RANGE_DAYS * DAY_MS, {
      path: ['to'],
      error: `Busy times are shown of at most ${MAX_RANGE_DAYS} days`,
    }),
  response: z.object({
    data: z
      .array(z.object({ person: id, busy: z.array(span) }))
      .describe('In the order of the request, without who is not active; what overlaps or touches is one'),
  }),
  status: 200,
});

const WRONG_LENGTH = 'A meeting takes 5 minutes to 24 hours';

export const findFreeTimes = endpoint({
  method: 'POST',
  path: '/meetings/free-times',
  summary: `The next ${MAX_FREE_TIMES} times when all are free within their working hours, within ${FREE_WITHIN_DAYS} days`,
  access: 'user',
  body: z.object({
    people,
    from: timeInput('Start time is required').describe('Where the search begins; now, where that is past'),
    durationMinutes: z.int(WRONG_LENGTH).min(5, WRONG_LENGTH).max(1_440, WRONG_LENGTH),
    except,
  }),
  response: z.object({
    data: z
      .array(span)
      .describe(`On a grid of ${GRID_MINUTES} minutes; none begins before the one before it has ended`),
    message: z.string().nullable().describe('Why there are none, for people to read'),
  }),
  status: 200,
});
