import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, pageQuery, time, timeInput } from '../../fields.ts';
import { pageOf } from '../../pages.ts';
import { userSummary } from '../../people.ts';
import { people, withRefs } from '../../people-once.ts';
import { MAX_MENTIONED_GROUPS, MAX_MENTIONED_USERS } from '../../text/mentions.ts';
import { attachment, MAX_ATTACHMENTS } from './attachments.ts';
import { forwarded, messageSender, poll } from './message-parts.ts';
import { MAX_REACTIONS, reactionParams, reactions } from './reactions.ts';
import { meetingSummary } from './summaries.ts';

/** Sender of `system` messages: Atrium itself. */
export const SYSTEM_SENDER = {
  _id: '000000000000000000000000',
  firstName: 'Atrium',
  lastName: '',
  system: true,
} as const;

export const MAX_READERS = 50;
export const MAX_LISTED_READERS = 6;

export const readBy = z.object({ count: z.int(), users: z.array(userSummary).max(MAX_READERS) });
export type ReadBy = z.infer<typeof readBy>;

export const messageAbilities = z.object({ edit: z.boolean(), delete: z.boolean() });

/** Maximum number of pinned messages in a conversation. */
export const MAX_PINS = 100;
export const TOO_MANY_PINS = `A conversation can have at most ${MAX_PINS} pinned messages`;

export const mentionedGroup = z.object({ type: z.enum(['department', 'project']), _id: id, name: z.string() });

export const mentions = z
  .object({
    users: z.array(userSummary).max(MAX_MENTIONED_USERS),
    here: z.boolean().describe('Everyone in the conversation who is online'),
    everyone: z.boolean(),
    groups: z.array(mentionedGroup).max(MAX_MENTIONED_GROUPS),
  })
  .describe(
    'The users and groups that tokens in the content mention: `<@userId>`, `<@here>`, `<@everyone>`, `<@department:id>`, `<@project:id>`',
  );

/** Maximum number of tasks that a message shows. */
export const MAX_MESSAGE_TASKS = 20;

export const MAX_THREAD_PEOPLE = 3;

/** Of a reply, `root` is the message that it replies to. The other fields are those of a root with replies. */
export const thread = z.object({
  root: id.optional(),
  lastSeq: z.int().optional().describe('The seq of the last reply'),
  replyCount: z.int().optional().describe('Without deleted replies'),
  lastReplyAt: time.optional(),
  people: z.array(userSummary).max(MAX_THREAD_PEOPLE).optional().describe('Who replied last, latest first'),
  followed: z.boolean().optional().describe('Whether the caller follows the thread; absent in broadcasts'),
  unreadCount: z.int().optional().describe('Replies that the caller has not read; 0 unless followed'),
  readRevision: z.int().optional().describe('Increases when the caller marks replies as unread'),
});
export type Thread = z.infer<typeof thread>;

/**
 * A message. `seq` increases by one within its conversation and is never reused; a deleted message remains without
 * content.
 */
export const message = z.object({
  _id: id,
  conversation: id,
  seq: z.int().describe('Within its conversation; of a reply that is listed in its thread, within the thread'),
  sender: messageSender,
  content: z.string().describe('May be empty if there are attachments'),
  attachments: z
    .array(attachment)
    .max(MAX_ATTACHMENTS)
    .describe('Attachments in order; empty without files and for deleted messages'),
  reactions,
  thread: thread.nullable(),
  mentions,
  pinned: z.object({ by: userSummary, at: time }).nullable(),
  tasks: z
    .array(id)
    .max(MAX_MESSAGE_TASKS)
    .describe('The tasks that were created from it, which the caller may be unable to see'),
  saved: z.boolean().optional().describe('Whether the caller has saved it; absent in broadcasts'),
  type: z
    .enum(['text', 'system', 'summary', 'poll'])
    .describe(
      '`text` for messages from users; `system` for Atrium’s own; `summary` for the summary of a closed meeting; `poll` for a poll, whose content is its question',
    ),
  summary: meetingSummary.nullable().describe('Of a `summary`; an edit of its content makes it a `text`'),
  forwarded: forwarded.extend({ mentions }).nullable().describe('Mentions of a forwarded text notify nobody'),
  poll: poll.nullable().describe('Of a `poll`; null in the last message of a conversation or thread'),
  clientMessageId: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
  editedAt: time.nullable(),
  deleted: z.boolean(),
  readBy: readBy
    .optional()
    .describe(
      `At most ${MAX_READERS} users, ${MAX_LISTED_READERS} in a list. Absent in a conversation, after reactions, votes, and pins, and in \`message:updated\`; \`message:read\` sends updates`,
    ),
  unreachable: z
    .array(userSummary)
    .optional()
    .describe('In the response to its sender: mentioned users who are not in the conversation, and do not see it'),
  abilities: messageAbilities
    .optional()
    .describe(
      'The caller’s; absent in broadcasts (`message:new`, `message:updated`): there, senders can edit and delete their own, and anyone with the conversation’s ability `deleteMessages` can delete any',
    ),
});
export type Message = z.infer<typeof message>;

/** A seq in a query. */
const seqInput = z.preprocess(
  (input: string | number) => (typeof input === 'string' && /^[0-9]{1,16}$/.test(input) ? Number(input) : input),
  z.int().min(0),
);

export const messageRange = z.object({
  limit: pageQuery.shape.limit,
  before: seqInput.optional(),
  after: seqInput.optional(),
  changedAfter: seqInput
    .optional()
    .describe(
      'Messages changed after this revision, in the order of their latest changes; takes precedence over all others',
    ),
});

export const messagePage = pageOf(message).extend({
  total: z.int().describe('The last seq of the conversation; deleted messages count'),
  hasMore: z.boolean(),
  revision: z
    .int()
    .describe('All changes up to this revision are included; later ones are available by `changedAfter`'),
});

export const listMessages = endpoint({
  method: 'GET',
  path: '/chat/messages',
  summary:
    'List the newest messages, oldest first; `before` and `after` are seqs for paging and catching up, `changedAfter` is a revision',
  access: 'user',
  query: messageRange.extend({
    conversation: id,
    from: timeInput('Invalid date')
      .optional()
      .describe('The first messages sent at or after this time; takes precedence over `after`'),
  }),
  response: messagePage,
  status: 200,
  errors: ['not_found'],
});

export const getMessage = endpoint({
  method: 'GET',
  path: '/chat/messages/:id',
  summary: 'Get a message or a reply',
  access: 'user',
  params: idParams,
  response: message,
  status: 200,
  errors: ['not_found'],
});

export const conversationLinks = z.object({
  conversation: id,
  message: id,
  thread: id.nullable().describe('The root of the thread, if it is a reply'),
  seq: z.int().describe('Of its message, in the conversation or the thread'),
  links: z
    .array(z.string())
    .describe('As written, without duplicates, with `http://` prepended to `www.`; at least one'),
  sender: messageSender,
  createdAt: time,
});
export type ConversationLinks = z.infer<typeof conversationLinks>;

/** Where a page of links ended: time and id of its last message. */
const linksCursor = z
  .string()
  .regex(/^[0-9]{1,16}\.[0-9a-f]{24}$/, 'Invalid cursor')
  .optional();

export const listLinks = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id/links',
  summary:
    'List the web addresses in the messages and replies of a conversation, newest first; `before` is the `next` of the previous page',
  access: 'user',
  params: idParams,
  query: z.object({ limit: pageQuery.shape.limit, before: linksCursor }),
  response: z.object({
    data: z.array(withRefs(conversationLinks)),
    people,
    next: z.string().nullable().describe('Null on the last page'),
  }),
  status: 200,
  errors: ['not_found'],
});

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/chat/messages/:id',
  summary: 'Delete your own message, or any as an administrator; a tombstone remains',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['forbidden', 'not_found'],
});

export const addReaction = endpoint({
  method: 'PUT',
  path: '/chat/messages/:id/reactions/:emoji',
  summary: 'React to a message with an emoji; again, it changes nothing',
  access: 'user',
  params: reactionParams,
  response: message,
  status: 200,
  errors: ['not_found', 'conflict'],
  rules: [`A message can have at most ${MAX_REACTIONS} different emoji`],
});

export const removeReaction = endpoint({
  method: 'DELETE',
  path: '/chat/messages/:id/reactions/:emoji',
  summary: 'Remove a reaction; without one, it changes nothing',
  access: 'user',
  params: reactionParams,
  response: message,
  status: 200,
  errors: ['not_found', 'conflict'],
});

export const markMessageRead = endpoint({
  method: 'POST',
  path: '/chat/messages/:id/read',
  summary: 'Mark everything up to this message as read; never moves backward',
  access: 'user',
  params: idParams,
  response: z.object({ updatedCount: z.int(), seq: z.int() }),
  status: 200,
  errors: ['not_found'],
});
