import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, pageQuery, time } from '../../fields.ts';
import { pageOf } from '../../pages.ts';
import { contentWithFiles, NOT_A_ROOT } from './message-text.ts';
import { mentions } from './messages.ts';

/** Maximum number of drafts of a user. */
export const MAX_DRAFTS = 500;
export const TOO_MANY_DRAFTS = `You can have at most ${MAX_DRAFTS} drafts`;

/** The draft of a message, one for each user and conversation or thread. Only its author sees it. */
export const draft = z.object({
  _id: id.describe('Of the conversation or, for a reply, of the root of the thread'),
  conversation: id,
  thread: id.optional().describe('The root of the thread that it replies to'),
  content: z.string().describe('Empty if the draft was removed'),
  mentions,
  version: z.int().describe('Increases with each change, also if the draft is removed and written again'),
  updatedAt: time,
});
export type Draft = z.infer<typeof draft>;

export const saveDraft = endpoint({
  method: 'PUT',
  path: '/chat/drafts',
  summary: 'Save the draft of a conversation or thread; empty content removes it',
  access: 'user',
  body: z.object({
    conversation: id,
    thread: id.optional().describe('The message to reply to'),
    content: contentWithFiles,
    version: z
      .int()
      .min(0)
      .optional()
      .describe('The version that this one replaces, 0 for none; responds 409 stale_version if there is another one'),
  }),
  response: draft,
  status: 200,
  errors: ['not_found', 'stale_version'],
  rules: [TOO_MANY_DRAFTS, NOT_A_ROOT],
});

export const listDrafts = endpoint({
  method: 'GET',
  path: '/chat/drafts',
  summary: 'List the caller’s drafts in the conversations that they are in, last changed first',
  access: 'user',
  query: pageQuery,
  response: pageOf(draft),
  status: 200,
});
