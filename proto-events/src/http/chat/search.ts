import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, pageQuery, storableText, timezone } from '../../fields.ts';
import { pageOf } from '../../pages.ts';
import { withRefs } from '../../people-once.ts';
import { MAX_COUNTED_MATCHES, snippet } from '../found.ts';
import { conversationType } from './conversations.ts';
import { message } from './messages.ts';

export const foundMessage = z.object({
  message,
  conversation: z
    .object({
      _id: id,
      type: conversationType,
      title: z.string().nullable().describe('Null for a direct conversation'),
    })
    .describe('Where the message is; of a reply, that of its thread'),
  snippet,
});
export type FoundMessage = z.infer<typeof foundMessage>;

export const searchMessages = endpoint({
  method: 'GET',
  path: '/chat/search',
  summary:
    'Search the messages, replies, and names of files in the caller’s conversations, newest first. `q` has words, `"phrases"`, `from:` (`me`, `@name`, or a user id), `in:` (`#name` or a conversation id), `before:`, `after:`, and `on:` (dates), `has:` (`file`, `link`, `reaction`), and `is:` (`thread`, `pinned`, `saved`); `-` excludes. `before` is the `next` of the previous page',
  access: 'user',
  query: z.object({
    q: storableText(500),
    limit: pageQuery.shape.limit,
    timezone: timezone.optional().describe('Of the dates in `q`; by default that of the caller'),
    before: z
      .string()
      .regex(/^\d{1,17}-[0-9a-f]{24}$/, 'Invalid position')
      .optional(),
  }),
  response: z.object({
    data: z.array(withRefs(foundMessage)),
    people: pageOf(foundMessage).shape.people,
    total: z
      .int()
      .describe(
        `The matches from this page on, up to ${MAX_COUNTED_MATCHES}. If there are more pages, it may be less than there are, because common words are not counted`,
      ),
    more: z.boolean().describe('Whether there are more pages'),
    next: z.string().nullable().describe('Null on the last page'),
  }),
  status: 200,
});
