import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { composedText, id, idParams, maxChars, pageOf, pageQuery, time, timeInput, uploadedFile } from '../fields.ts';
import { userSummary } from '../people.ts';
import { hasVisibleText, normalizeText, visible } from '../text/normalize.ts';
import { attachment, MAX_ATTACHMENTS } from './chat-attachments.ts';

/** Whoever writes a `system` message: Atrium itself (decisions, section 10). */
export const SYSTEM_SENDER = {
  _id: '000000000000000000000000',
  firstName: 'Atrium',
  lastName: '',
  system: true,
} as const;

/** Who wrote a message: a person, or Atrium itself. */
export const messageSender = userSummary.extend({ system: z.literal(true).optional() });

/** How many of those who have read a message are named beside their count: of one message, and of each in a list (decisions, section 10). */
export const MAX_READERS = 50;
export const MAX_LISTED_READERS = 6;

/** Who has read a message, its sender apart: how many, and by name those who have read furthest. */
export const readBy = z.object({ count: z.int(), users: z.array(userSummary).max(MAX_READERS) });
export type ReadBy = z.infer<typeof readBy>;

/** What the caller may do with a message. */
export const messageAbilities = z.object({ edit: z.boolean(), delete: z.boolean() });

/** A message. `seq` counts up by one within its conversation and is never reused; a deleted one keeps its place without content. */
export const message = z.object({
  _id: id,
  conversation: id,
  seq: z.int(),
  sender: messageSender,
  content: z.string().describe('May be empty beside attachments'),
  attachments: z
    .array(attachment)
    .max(MAX_ATTACHMENTS)
    .describe('Its files in their order; empty without files, and of a deleted message'),
  type: z.enum(['text', 'system']).describe('Always `text` for what people send; `system` is Atrium’s own'),
  clientMessageId: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
  editedAt: time.nullable(),
  deleted: z.boolean(),
  readBy: readBy
    .optional()
    .describe(
      `Names at most ${MAX_READERS}, in a list ${MAX_LISTED_READERS}. Absent beside a conversation and in \`message:updated\`; \`message:read\` tells how it goes on`,
    ),
  abilities: messageAbilities
    .optional()
    .describe(
      'The caller’s; absent where one copy goes to all (`message:new`, `message:updated`): there one may edit and delete what is one’s own, and delete any where the conversation’s abilities say `deleteMessages`',
    ),
});
export type Message = z.infer<typeof message>;

/** Told of a message that has neither text nor files. */
export const EMPTY_MESSAGE = 'Message cannot be empty';

const text = composedText(z.string(EMPTY_MESSAGE), 10_000, 'Message must be at most 10000 characters');

// What cannot be stored is replaced: nobody loses a message over a character that nobody sees.
export const content = text
  .min(1, { error: EMPTY_MESSAGE, abort: true })
  .regex(visible, EMPTY_MESSAGE)
  .overwrite(normalizeText);

/** The text beside files: blank counts as none. */
export const contentBesideFiles = text.transform((given) => (hasVisibleText(given) ? normalizeText(given) : ''));

export const clientMessageId = z
  .uuid()
  .optional()
  .describe('Made by the client; the same one again gives the first answer again');

/** Accepted for the specification's sake; whatever it says, what a person sends is stored as `text` (decisions, section 10). */
export const messageType = z.string().check(maxChars(20)).default('text');

export const sendMessageBody = z.object({
  conversation: id,
  content,
  type: messageType,
  clientMessageId,
});

/** The fields of a message with files, which stand in the form before them. */
export const sendMessageFields = z.object({
  conversation: id,
  content: contentBesideFiles.default(''),
  type: messageType,
  clientMessageId,
});

/** A seq as a query gives it. */
const seqInput = z.preprocess(
  (given: string | number) => (typeof given === 'string' && /^[0-9]{1,16}$/.test(given) ? Number(given) : given),
  z.int().min(0),
);

export const listMessages = endpoint({
  method: 'GET',
  path: '/chat/messages',
  summary:
    'The newest messages, oldest first; before and after are seqs to page and to catch up, changedAfter is a revision',
  access: 'user',
  query: z.object({
    conversation: id,
    limit: pageQuery.shape.limit,
    before: seqInput.optional(),
    after: seqInput.optional(),
    from: timeInput('Invalid date')
      .optional()
      .describe('The first that were sent at or after this moment; goes before `after`'),
    changedAfter: seqInput
      .optional()
      .describe(
        'Those that were edited or deleted after this revision, in the order of their latest changes; goes before all others',
      ),
  }),
  response: pageOf(message).extend({
    hasMore: z.boolean(),
    revision: z
      .int()
      .describe('Every change up to this one is in these messages: what they miss comes by `changedAfter`'),
  }),
  status: 200,
  errors: ['not_found'],
});

export const sendMessage = endpoint({
  method: 'POST',
  path: '/chat/messages',
  summary: 'Send a message, as JSON, or as a form with up to 10 files',
  access: 'user',
  body: sendMessageBody,
  idempotencyField: 'clientMessageId',
  multipart: sendMessageFields.extend({ attachments: z.array(uploadedFile).max(MAX_ATTACHMENTS).default([]) }),
  response: message,
  status: 201,
  errors: ['not_found', 'conflict', 'too_large', 'unavailable'],
  rules: [
    'The file is empty',
    'A field of the form is too long',
    'The form has too many parts',
    'A message can have at most 10 files',
  ],
});

export const editMessage = endpoint({
  method: 'PATCH',
  path: '/chat/messages/:id',
  summary: 'Edit the text of your own message; it may be empty beside attachments only',
  access: 'user',
  params: idParams,
  body: z.object({ content: contentBesideFiles }),
  response: message,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
  rules: [EMPTY_MESSAGE],
});

/** Web addresses of one message, with where they were said. */
export const conversationLinks = z.object({
  conversation: id,
  message: id,
  seq: z.int().describe('Of its message'),
  links: z.array(z.string()).describe('As they were written, each once, with `http://` before `www.`; at least one'),
  sender: messageSender,
  createdAt: time,
});
export type ConversationLinks = z.infer<typeof conversationLinks>;

export const listLinks = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id/links',
  summary:
    'The web addresses in the messages of a conversation, newest first; `before` is the `next` of the page before',
  access: 'user',
  params: idParams,
  query: z.object({ limit: pageQuery.shape.limit, before: seqInput.optional() }),
  response: z.object({
    data: z.array(conversationLinks),
    next: z.int().nullable().describe('Null on the last page'),
  }),
  status: 200,
  errors: ['not_found'],
});

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/chat/messages/:id',
  summary: 'Delete your own message, or any as an administrator; it stays as a tombstone',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['forbidden', 'not_found'],
});

export const markMessageRead = endpoint({
  method: 'POST',
  path: '/chat/messages/:id/read',
  summary: 'Mark everything up to this message as read; never goes down',
  access: 'user',
  params: idParams,
  response: z.object({ updatedCount: z.int(), seq: z.int() }),
  status: 200,
  errors: ['not_found'],
});
