import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, pageQuery } from '../../fields.ts';
import { pageOf } from '../../pages.ts';
import { message, messagePage, messageRange } from './messages.ts';
import { readBody } from './unread.ts';

export const listReplies = endpoint({
  method: 'GET',
  path: '/chat/messages/:id/thread',
  summary: 'List the newest replies to a message, oldest first, paged like messages',
  access: 'user',
  params: idParams,
  query: messageRange,
  response: messagePage.extend({ root: message }),
  status: 200,
  errors: ['not_found'],
});

export const markThreadRead = endpoint({
  method: 'POST',
  path: '/chat/messages/:id/thread/read',
  summary: 'Mark everything, or everything up to a seq, in a thread as read; never moves backward',
  access: 'user',
  params: idParams,
  body: readBody.default({}),
  response: z.object({ updatedCount: z.int(), seq: z.int(), unreadCount: z.int() }),
  status: 200,
  errors: ['not_found'],
});

const followed = z.object({ followed: z.boolean(), unreadCount: z.int(), readRevision: z.int() });

export const followThread = endpoint({
  method: 'PUT',
  path: '/chat/messages/:id/follow',
  summary: 'Follow the thread of a message, which may have no replies yet; all existing ones count as read',
  access: 'user',
  params: idParams,
  response: followed,
  status: 200,
  errors: ['not_found', 'conflict'],
});

export const unfollowThread = endpoint({
  method: 'DELETE',
  path: '/chat/messages/:id/follow',
  summary: 'Stop following the thread of a message',
  access: 'user',
  params: idParams,
  response: followed,
  status: 200,
  errors: ['not_found'],
});

export const followedThread = z.object({
  _id: id.describe('Of the root'),
  conversation: id,
  root: message,
  lastReply: message.nullable().describe('Attachments without links, and no reactions'),
  unreadCount: z.int(),
});
export type FollowedThread = z.infer<typeof followedThread>;

export const listThreads = endpoint({
  method: 'GET',
  path: '/chat/threads',
  summary: 'List the threads that the caller follows, latest reply first',
  access: 'user',
  query: pageQuery.extend({ filter: z.enum(['all', 'unread']).default('all') }),
  response: pageOf(followedThread),
  status: 200,
});
