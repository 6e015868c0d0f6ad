import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';
import { NOTICE_KINDS, NOTICE_LEVELS, NOTICE_REASONS } from '../notices/kinds.ts';

const conversationFields = {
  conversationId: id,
  type: z.enum(['direct', 'group', 'project']),
  projectId: id.nullable(),
  title: z.string().nullable(),
  participantIds: z.array(id),
  visibility: z.enum(['private', 'public']).optional(),
  version: z.int(),
};

export const conversationCreated = defineEvent('chat.conversation.created', 1, z.object(conversationFields));

/**
 * A conversation was renamed, or its participants changed (`addedIds`, `removedIds`). `participantIds` are those who joined
 * first.
 */
export const conversationUpdated = defineEvent(
  'chat.conversation.updated',
  1,
  z.object({ ...conversationFields, addedIds: z.array(id), removedIds: z.array(id), changed: z.array(z.string()) }),
);

export const conversationDeleted = defineEvent('chat.conversation.deleted', 1, z.object(conversationFields));

/** Contains only ids: message text does not leave chat. */
export const messageSent = defineEvent(
  'chat.message.sent',
  1,
  z.object({ conversationId: id, messageId: id, seq: z.int(), senderId: id }),
);

/** A reply in the thread of `rootId`, with its seq there. A copy in the conversation is a sent message of the same id. */
export const replySent = defineEvent(
  'chat.reply.sent',
  1,
  z.object({ conversationId: id, rootId: id, messageId: id, seq: z.int(), senderId: id }),
);

/** A reply by email (`notifications.message.replied`) was not sent; `reason` is written for its sender. */
export const messageRejected = defineEvent(
  'chat.message.rejected',
  1,
  z.object({ placeId: id, userId: id, reason: z.string() }),
);

/**
 * A request, despite its name: a user saves an attachment as a private document with this id, and documents responds
 * with `documents.attachment.settled`. Chat keeps the object for a week, even if the message is deleted.
 */
export const attachmentSaved = defineEvent(
  'chat.attachment.saved',
  1,
  z.object({
    documentId: id,
    savedBy: id,
    name: z.string(),
    extension: z.string(),
    mimetype: z.string(),
    size: z.int(),
    sha256: z.string(),
    objectKey: z.string(),
  }),
);

/** The time of a user's reminder of a message has come. `seq` is that in the thread if `rootId` is set. */
export const reminderDue = defineEvent(
  'chat.reminder.due',
  1,
  z.object({ userId: id, conversationId: id, messageId: id, seq: z.int(), rootId: id.optional() }),
);

/**
 * Some of the users to be notified of a message or, if `rootId` is set, of a reply with its seq in the thread, or of a
 * reaction to their message. None of them had read it, unless an edit mentions them. `cause` is the id of the message,
 * so that its edits do not count again, or of the reaction. In order with `chat.messages.read` of the same user.
 */
export const recipientsFound = defineEvent(
  'chat.recipients.found',
  1,
  z.object({
    conversationId: id,
    title: z.string().nullable().describe('Of the conversation; null for a direct one'),
    text: z
      .string()
      .optional()
      .describe('The beginning of the message as typed, if pushes and emails show it; never of reactions and edits'),
    messageId: id,
    seq: z.int(),
    rootId: id.optional(),
    cause: z.string(),
    sentAt: time,
    recipients: z
      .array(
        z.object({
          userId: id,
          kind: z.enum(NOTICE_KINDS),
          reason: z.enum(NOTICE_REASONS),
          level: z.enum(NOTICE_LEVELS).describe('What the user has chosen for the conversation'),
        }),
      )
      .min(1),
  }),
);

/** A user has read a conversation or the thread of `rootId` up to `seq`, after a `chat.recipients.found` about it. */
export const messagesRead = defineEvent(
  'chat.messages.read',
  1,
  z.object({ userId: id, conversationId: id, rootId: id.optional(), seq: z.int() }),
);

/** An edit removed the mentions of these users, or of their groups, from a message. */
export const mentionsRemoved = defineEvent(
  'chat.mentions.removed',
  1,
  z.object({
    conversationId: id,
    rootId: id.optional(),
    messageId: id,
    seq: z.int(),
    userIds: z.array(id).min(1),
  }),
);

const mentions = z.object({
  users: z.array(id),
  here: z.boolean(),
  everyone: z.boolean(),
  groups: z.array(z.object({ type: z.enum(['department', 'project']), id })),
});

/** A message was edited or deleted, or what it shows has changed. */
export const messageChanged = defineEvent(
  'chat.message.changed',
  1,
  z.object({
    conversationId: id,
    messageId: id,
    seq: z.int(),
    rootId: id.optional().describe('Of a reply: its root, in whose thread the seq and the revision are'),
    action: z.enum(['edited', 'deleted']),
    change: z
      .enum(['reactions', 'replies', 'pin', 'poll', 'tasks'])
      .optional()
      .describe('What has changed instead of the content'),
    mentions: z
      .object({ before: mentions, after: mentions })
      .optional()
      .describe('The mentions in the content, if an edit changed them'),
    revision: z.int().optional().describe('Of the conversation, including this change'),
  }),
);

/** A custom emoji was added or deleted. */
export const emojiChanged = defineEvent(
  'chat.emoji.changed',
  1,
  z.object({ emojiId: id, action: z.enum(['created', 'deleted']) }),
);

/** The summary of a closed meeting was posted in the project's conversation at `seq`, or not posted, for `reason`. */
export const summaryPosted = defineEvent(
  'chat.summary.posted',
  1,
  z.object({
    meetingId: id,
    closingId: id,
    projectId: id,
    outcome: z.enum(['posted', 'rejected']),
    conversationId: id.nullable(),
    seq: z.int().nullable(),
    reason: z.string().nullable(),
  }),
);
