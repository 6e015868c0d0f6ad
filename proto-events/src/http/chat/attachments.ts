import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, pageQuery, time } from '../../fields.ts';
import { pageOf } from '../../pages.ts';
import { userSummary } from '../../people.ts';
import { dayQuery, STATISTICS_DENIED, storageHistory } from '../../statistics.ts';
import { preview, thumbnail, thumbnailError } from '../previews.ts';

export const MAX_ATTACHMENTS = 10;

/**
 * `downloadUrl` is created for each response to one user, saves the file under its name, and expires within five
 * minutes; it is absent without an object store. Broadcasts (`message:new`, `message:updated`) contain none,
 * since clients keep them longer than a link is valid.
 */
export const attachment = z.object({
  _id: id,
  name: z.string(),
  size: z.int().describe('Bytes'),
  mimetype: z.string().describe('Detected from the content'),
  width: z.int().min(1).optional().describe('For images: pixels after EXIF orientation'),
  height: z.int().min(1).optional(),
  downloadUrl: z.string().optional(),
  thumbnail: thumbnail
    .nullable()
    .optional()
    .describe(
      'For images, in responses to one user: a thumbnail with EXIF orientation applied and without location; null while it is being created. Images are displayed by it and by `GET /chat/attachments/:id/preview`, never by `downloadUrl`',
    ),
  thumbnailError: thumbnailError.optional().describe('For images without a thumbnail: the reason'),
  fileLost: z.literal(true).optional().describe('The object store has lost its content'),
});
export type Attachment = z.infer<typeof attachment>;

export const conversationAttachment = attachment.extend({
  conversation: id,
  message: id,
  thread: id.nullable().describe('The root of the thread, if its message is a reply'),
  seq: z.int().describe('Of its message, in the conversation or the thread'),
  uploadedBy: userSummary,
  createdAt: time,
});
export type ConversationAttachment = z.infer<typeof conversationAttachment>;

export const getAttachmentLimits = endpoint({
  method: 'GET',
  path: '/chat/attachments/limits',
  summary: 'Get the limits for attachments and the remaining quota, before sending',
  access: 'user',
  response: z.object({
    maxFiles: z.int(),
    maxFileBytes: z.int(),
    usedBytes: z
      .int()
      .describe('Bytes of the files that the caller has uploaded, or forwarded before their uploaders deleted them'),
    quotaBytes: z.int().nullable().describe('The caller’s quota; null if unlimited'),
    availableBytes: z
      .int()
      .nullable()
      .describe('Remaining bytes of the caller’s and the workspace’s quota; null if unlimited'),
  }),
  status: 200,
});

export const getAttachmentHistory = endpoint({
  method: 'GET',
  path: '/chat/attachments/history',
  summary: 'Sum the stored files of messages by the day on which they were added (administrators)',
  access: 'admin',
  forbiddenMessage: STATISTICS_DENIED,
  query: dayQuery,
  response: storageHistory,
  status: 200,
});

export const getAttachment = endpoint({
  method: 'GET',
  path: '/chat/attachments/:id',
  summary: 'Get an attachment with a fresh download link (participants of its conversation)',
  access: 'user',
  params: idParams,
  response: conversationAttachment,
  status: 200,
  errors: ['not_found'],
});

export const getAttachmentPreview = endpoint({
  method: 'GET',
  path: '/chat/attachments/:id/preview',
  summary: 'Get a link to view an attachment without downloading it (participants of its conversation)',
  access: 'user',
  params: idParams,
  response: preview,
  status: 200,
  errors: ['not_found', 'unavailable'],
});

export const saveAttachment = endpoint({
  method: 'POST',
  path: '/chat/attachments/:id/save',
  summary:
    'Save an attachment to Document Hub: quota is reserved, and a private document of the caller is created shortly afterward',
  access: 'user',
  params: idParams,
  idempotent: true,
  response: z.object({
    document: id.describe('The id of the future document; if saving fails later, it responds 404 with the reason'),
  }),
  status: 201,
  errors: ['not_found', 'conflict', 'too_large', 'unavailable'],
});

/** Where a page of files ended: time, position, and id of its last file. */
const cursor = z
  .string()
  .regex(/^[0-9]{1,16}\.[0-9]{1,2}\.[0-9a-f]{24}$/, 'Invalid cursor')
  .optional();

export const listAttachments = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id/attachments',
  summary:
    'List the files of a conversation and its threads, newest first; `before` is the `next` of the previous page',
  access: 'user',
  params: idParams,
  query: z.object({ limit: pageQuery.shape.limit, before: cursor }),
  response: pageOf(conversationAttachment).extend({ next: z.string().nullable().describe('Null on the last page') }),
  status: 200,
  errors: ['not_found'],
});
