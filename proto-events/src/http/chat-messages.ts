import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, idParams, pageOf, pageQuery, time } from '../fields.ts';
import { userSummary } from '../people.ts';

/** A message. `seq` counts up by one within its conversation and is never reused; a deleted one keeps its place without content. */
export const message = z.object({
  _id: id,
  conversation: id,
  seq: z.int(),
  sender: userSummary,
  content: z.string(),
  type: z.string(),
  clientMessageId: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
  editedAt: time.nullable(),
  deleted: z.boolean(),
});
export type Message = z.infer<typeof message>;

export const content = z
  .string({ error: 'Message cannot be empty' })
  .max(10_000, 'Message must be at most 10000 characters')
  .refine((text) => text.trim() !== '', 'Message cannot be empty');

export const clientMessageId = z
  .uuid()
  .optional()
  .describe('Made by the client; the same one again gives the first answer again');

export const sendMessageBody = z.object({
  conversation: id,
  content,
  type: z.string().max(20).default('text'),
  clientMessageId,
});

export const listMessages = endpoint({
  method: 'GET',
  path: '/chat/messages',
  summary: 'The newest messages, oldest first; before and after are seqs to page and to catch up',
  access: 'user',
  query: z.object({
    conversation: id,
    limit: pageQuery.shape.limit,
    before: z.coerce.number().int().min(0).optional(),
    after: z.coerce.number().int().min(0).optional(),
  }),
  response: pageOf(message).extend({ hasMore: z.boolean() }),
  status: 200,
  errors: ['not_found'],
});

export const sendMessage = endpoint({
  method: 'POST',
  path: '/chat/messages',
  summary: 'Send a message',
  access: 'user',
  body: sendMessageBody,
  response: message,
  status: 201,
  errors: ['not_found'],
});

export const editMessage = endpoint({
  method: 'PATCH',
  path: '/chat/messages/:id',
  summary: 'Edit your own message',
  access: 'user',
  params: idParams,
  body: z.object({ content }),
  response: message,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
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
