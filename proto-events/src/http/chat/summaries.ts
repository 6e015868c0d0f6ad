import { z } from 'zod';
import { id, time } from '../../fields.ts';

/** What the summary of a meeting says, in parts; its content is the same as text. */
export const meetingSummary = z.object({
  meeting: id.describe('Which the caller may be unable to see'),
  title: z.string(),
  startTime: time,
  timezone: z.string(),
  text: z.string().describe('May be empty if there are decisions'),
  decisions: z.array(
    z.object({
      _id: id,
      text: z.string(),
      task: id.nullable().describe('The task that it became, which the caller may be unable to see'),
    }),
  ),
});
export type MeetingSummary = z.infer<typeof meetingSummary>;
