import { z } from 'zod';
import { timezone } from './fields.ts';

// What the statistics of administrators have in common.

export const STATISTICS_DENIED = 'Only administrators can see the statistics of the workspace';

/** The query of statistics by day. */
export const dayQuery = z.object({ timezone: timezone.default('UTC').describe('The time zone of the days') });

const storedOnDay = z.object({
  day: z.iso.date(),
  files: z.int(),
  bytes: z.int(),
});

/** The files that a service stores now, by the day on which they were added. */
export const storageHistory = z.object({
  days: z.array(storedOnDay).describe('Days on which files were added that are still stored, oldest first'),
});
