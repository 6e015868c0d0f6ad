import { z } from 'zod';
import { id, time } from '../../fields.ts';
import { userSummary } from '../../people.ts';

/** The sender of a message, which can be Atrium itself. */
export const messageSender = userSummary.extend({ system: z.literal(true).optional() });

const original = 'null if the caller has no access to the original; absent in broadcasts';

/** What a message forwards, as of then: later changes of the original do not change it. Its files are those of the message. */
export const forwarded = z.object({
  message: id.nullable().optional().describe(`The first message; ${original}`),
  conversation: id.nullable().optional().describe(`That of the first message; ${original}`),
  sender: messageSender,
  content: z.string(),
  createdAt: time.describe('When the first message was sent'),
});

export const MIN_POLL_OPTIONS = 2;
export const MAX_POLL_OPTIONS = 10;
export const MAX_POLL_USERS = 10;

const pollOption = z.object({
  id: z.string(),
  text: z.string(),
  count: z.int().min(0),
  mine: z.boolean().optional().describe('Whether the caller has voted for it; absent in broadcasts to others'),
  users: z.array(userSummary).max(MAX_POLL_USERS).describe('Those who voted first; empty in an anonymous poll'),
});
export type PollOption = z.infer<typeof pollOption>;

export const poll = z.object({
  question: z.string(),
  options: z.array(pollOption).max(MAX_POLL_OPTIONS),
  multiple: z.boolean().describe('Whether a user can vote for several options'),
  anonymous: z.boolean().describe('Nobody sees who has voted for what'),
  voterCount: z.int().min(0),
  votedAt: time
    .nullable()
    .optional()
    .describe('When the caller has voted or withdrawn their vote; absent in broadcasts to others'),
  closedAt: time.nullable(),
});
export type Poll = z.infer<typeof poll>;
