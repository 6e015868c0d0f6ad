import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { idParams, time, timeInput, timezone } from '../fields.ts';
import { projectStatus } from './projects.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How far back the history of a project can be requested, in days. */
export const MAX_HISTORY_DAYS = 731;
export const DEFAULT_HISTORY_DAYS = 90;

const isWithinLimit = (from: string) => Date.parse(from) >= Date.now() - (MAX_HISTORY_DAYS + 1) * DAY_MS;

export const taskCounts = z.object({ todo: z.int(), inProgress: z.int(), review: z.int(), done: z.int() });
export type TaskCounts = z.infer<typeof taskCounts>;

const snapshot = z.object({
  day: z.iso.date().describe('The day in UTC'),
  recordedAt: time,
  status: projectStatus,
  progress: z.int().min(0).max(100),
  tasks: taskCounts,
});
export type ProjectSnapshot = z.infer<typeof snapshot>;

export const getProjectHistory = endpoint({
  method: 'GET',
  path: '/projects/:id/history',
  summary: 'Get what was recorded of a project each day, and how many of its tasks were completed on each day',
  access: 'user',
  params: idParams,
  query: z.object({
    from: timeInput('Invalid date')
      .refine(isWithinLimit, `The history goes back ${MAX_HISTORY_DAYS} days`)
      .optional()
      .describe(
        `Start of the period, at most ${MAX_HISTORY_DAYS} days ago; by default ${DEFAULT_HISTORY_DAYS} days ago`,
      ),
    timezone: timezone.default('UTC').describe('The time zone of the days on which tasks were completed'),
  }),
  response: z.object({
    snapshots: z.array(snapshot).describe('Oldest first. A day that is missing was not recorded'),
    completions: z
      .array(z.object({ day: z.iso.date(), count: z.int() }))
      .describe('Days in the time zone of the request on which tasks were completed that are still done, oldest first'),
    undatedCompletions: z.int().describe('Number of done tasks of which it is not known when they were completed'),
  }),
  status: 200,
  errors: ['not_found'],
});
export type ProjectHistory = z.infer<(typeof getProjectHistory)['response']>;
