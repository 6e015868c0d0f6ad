import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { boundedArray, id, time, timeInput } from '../../fields.ts';

const DAY_MS = 86_400_000;
const MAX_RANGE_DAYS = 62;
/** The search for free times covers this many days. */
export const FREE_WITHIN_DAYS = 14;
/** Suggested times start on this grid. */
export const GRID_MINUTES = 15;
export const MAX_FREE_TIMES = 3;

/** Half-open: from `start`, up to but excluding `end`. */
const span = z.object({ start: time, end: time });

const people = boundedArray(
  500,
  z.array(id, { error: 'At least one person is required' }).min(1, 'At least one person is required'),
  'Busy times can be shown for at most 500 people',
);
const except = id.nullable().default(null).describe('A meeting to ignore: the one being moved');

export const listBusyTimes = endpoint({
  method: 'POST',
  path: '/meetings/busy',
  summary: 'List when people are busy, without details; declined meetings do not count',
  access: 'user',
  body: z
    .object({ people, from: timeInput('Start time is required'), to: timeInput('End time is required'), except })
    .refine(({ from, to }) => to > from, { path: ['to'], error: 'End time must be after start time' })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= MAX_RANGE_DAYS * DAY_MS, {
      path: ['to'],
      error: `Busy times can be shown for at most ${MAX_RANGE_DAYS} days`,
    }),
  response: z.object({
    data: z
      .array(z.object({ person: id, busy: z.array(span) }))
      .describe('In the order of the request, without inactive users; overlapping or adjacent intervals are merged'),
  }),
  status: 200,
});

const INVALID_DURATION = 'A meeting must last between 5 minutes and 24 hours';

export const findFreeTimes = endpoint({
  method: 'POST',
  path: '/meetings/free-times',
  summary: `Find the next ${MAX_FREE_TIMES} times when everyone is free within their working hours, within ${FREE_WITHIN_DAYS} days`,
  access: 'user',
  body: z.object({
    people,
    from: timeInput('Start time is required').describe('Start of the search; now, if it is in the past'),
    durationMinutes: z.int(INVALID_DURATION).min(5, INVALID_DURATION).max(1_440, INVALID_DURATION),
    except,
  }),
  response: z.object({
    data: z
      .array(span)
      .describe(`On a grid of ${GRID_MINUTES} minutes; none begins before the one before it has ended`),
    message: z.string().nullable().describe('The reason if there are none, as human-readable text'),
  }),
  status: 200,
});
