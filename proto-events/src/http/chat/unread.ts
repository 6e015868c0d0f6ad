import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { idParams } from '../../fields.ts';

/** The `readRevision` that the client knows: a read from before messages were marked as unread changes nothing. */
export const readRevision = z.int().min(0).optional();

export const readBody = z.object({ seq: z.int().min(0).optional(), readRevision });

const unreadBody = z.object({ seq: z.int().min(1) });
const unreadResult = z.object({
  lastSeq: z.int(),
  lastReadSeq: z.int().describe('The new read position, before the first unread message'),
  unreadCount: z.int(),
  readRevision: z.int(),
});

export const markConversationUnread = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/unread',
  summary:
    'Mark a message and all later ones as unread; before the caller’s own messages at the end, the last one of others',
  access: 'user',
  params: idParams,
  body: unreadBody,
  response: unreadResult,
  status: 200,
  errors: ['not_found'],
});

export const markThreadUnread = endpoint({
  method: 'POST',
  path: '/chat/messages/:id/thread/unread',
  summary: 'Mark a reply and all later ones as unread, which follows the thread',
  access: 'user',
  params: idParams,
  body: unreadBody,
  response: unreadResult,
  status: 200,
  errors: ['not_found'],
  rules: ['A reply cannot have replies of its own'],
});
