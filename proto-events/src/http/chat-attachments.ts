import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, idParams, pageOf, pageQuery, time } from '../fields.ts';
import { userSummary } from '../people.ts';
import { preview, thumbnail, thumbnailError } from '../preview.ts';

/** Files that one message may carry (decisions, section 7). */
export const MAX_ATTACHMENTS = 10;

/**
 * A file of a message. `downloadUrl` is minted anew for each answer to one person, saves the file under its name and lives at most five
 * minutes; it is absent without an object store. What all participants are told at once (`message:new`, `message:updated`) has none: such a
 * copy is kept far longer than a link lives. A browser asks `GET /chat/attachments/:id` for a link in the moment in which it needs one.
 */
export const attachment = z.object({
  _id: id,
  name: z.string(),
  size: z.int().describe('Bytes'),
  mimetype: z.string().describe('Found from the bytes'),
  width: z.int().min(1).optional().describe('Of an image, in pixels as it is shown: turned as its EXIF says'),
  height: z.int().min(1).optional(),
  downloadUrl: z.string().optional(),
  thumbnail: thumbnail
    .nullable()
    .optional()
    .describe(
      'Of an image, in answers to one person: a small picture that is made of it, turned as its EXIF says and without the place; null while it is being made. Images are shown by it and by `GET /chat/attachments/:id/preview`, never by `downloadUrl`',
    ),
  thumbnailError: thumbnailError.optional().describe('Of an image without a thumbnail: why none is made'),
  fileLost: z.literal(true).optional().describe('The object store no longer has its bytes'),
});
export type Attachment = z.infer<typeof attachment>;

/** A file among those of a conversation, with where it was said. */
export const conversationAttachment = attachment.extend({
  conversation: id,
  message: id,
  seq: z.int().describe('Of its message'),
  uploadedBy: userSummary,
  createdAt: time,
});
export type ConversationAttachment = z.infer<typeof conversationAttachment>;

export const getAttachmentLimits = endpoint({
  method: 'GET',
  path: '/chat/attachments/limits',
  summary:
    'How large and how many the files of a message may be, and how much room there is, to be asked before sending',
  access: 'user',
  response: z.object({
    maxFiles: z.int(),
    maxFileBytes: z.int(),
    usedBytes: z.int().describe('What the caller’s attachments take'),
    quotaBytes: z.int().nullable().describe('What they may take; null without a limit'),
    availableBytes: z
      .int()
      .nullable()
      .describe('What is left of the caller’s quota and of the workspace’s; null without limits'),
  }),
  status: 200,
});

export const getAttachment = endpoint({
  method: 'GET',
  path: '/chat/attachments/:id',
  summary: 'One attachment with a fresh download link; only for participants of its conversation',
  access: 'user',
  params: idParams,
  response: conversationAttachment,
  status: 200,
  errors: ['not_found'],
});

export const getAttachmentPreview = endpoint({
  method: 'GET',
  path: '/chat/attachments/:id/preview',
  summary: 'A link to look at an attachment, which does not save it; only for participants of its conversation',
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
    'Save an attachment to Document Hub: room for it is reserved, and it becomes a private document of the caller a moment later',
  access: 'user',
  params: idParams,
  idempotent: true,
  response: z.object({
    document: id.describe(
      'The id that the document will have; where saving failed later, it answers 404 with the reason',
    ),
  }),
  status: 201,
  errors: ['not_found', 'conflict', 'too_large', 'unavailable'],
});

/** Where a page of files ended, the seq and the position of its last; or a seq alone. */
const cursor = z
  .string()
  .regex(/^[0-9]{1,15}(?:\.[0-9]{1,2})?$/, 'Invalid cursor')
  .optional();

export const listAttachments = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id/attachments',
  summary: 'The files of a conversation, newest first; `before` is the `next` of the page before',
  access: 'user',
  params: idParams,
  query: z.object({ limit: pageQuery.shape.limit, before: cursor }),
  response: pageOf(conversationAttachment).extend({ next: z.string().nullable().describe('Null on the last page') }),
  status: 200,
  errors: ['not_found'],
});
