import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, pageQuery, time } from '../../fields.ts';
import { pageOf } from '../../pages.ts';
import { withRefs } from '../../people-once.ts';
import { MAX_PINS, message, TOO_MANY_PINS } from './messages.ts';

export const pinMessage = endpoint({
  method: 'PUT',
  path: '/chat/messages/:id/pin',
  summary: 'Pin a message for everyone in the conversation',
  access: 'user',
  params: idParams,
  response: message,
  status: 200,
  errors: ['not_found', 'conflict'],
  rules: [TOO_MANY_PINS],
});

export const unpinMessage = endpoint({
  method: 'DELETE',
  path: '/chat/messages/:id/pin',
  summary: 'Unpin a message',
  access: 'user',
  params: idParams,
  response: message,
  status: 200,
  errors: ['not_found', 'conflict'],
});

export const listPins = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id/pins',
  summary: 'List the pinned messages of a conversation and its threads, last pinned first',
  access: 'user',
  params: idParams,
  response: z.object({ data: z.array(withRefs(message)).max(MAX_PINS), people: pageOf(message).shape.people }),
  status: 200,
  errors: ['not_found'],
});

/** Maximum number of messages that a user has saved. */
export const MAX_SAVED = 5_000;
export const TOO_MANY_SAVED = `You can save at most ${MAX_SAVED.toLocaleString('en')} messages`;

export const saveMessage = endpoint({
  method: 'PUT',
  path: '/chat/messages/:id/saved',
  summary: 'Save a message in the caller’s own list',
  access: 'user',
  params: idParams,
  response: message,
  status: 200,
  errors: ['not_found', 'conflict'],
  rules: [TOO_MANY_SAVED],
});

export const unsaveMessage = endpoint({
  method: 'DELETE',
  path: '/chat/messages/:id/saved',
  summary: 'Remove a message from the caller’s own list',
  access: 'user',
  params: idParams,
  response: message,
  status: 200,
  errors: ['not_found'],
});

export const savedMessage = z.object({
  _id: id.describe('Of the message'),
  message,
  savedAt: time,
  remindAt: time.nullable().describe('When the caller is notified about it'),
});
export type SavedMessage = z.infer<typeof savedMessage>;

export const listSaved = endpoint({
  method: 'GET',
  path: '/chat/saved',
  summary: 'List the messages that the caller has saved, last saved first',
  access: 'user',
  query: pageQuery,
  response: pageOf(savedMessage),
  status: 200,
});
