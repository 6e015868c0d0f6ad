import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, pageQuery, time, timeInput } from '../../fields.ts';
import { pageOf } from '../../pages.ts';
import { content } from './message-text.ts';
import { mentions, message } from './messages.ts';
import { TOO_MANY_SAVED } from './pins.ts';

/** Maximum number of scheduled messages of a user. */
export const MAX_SCHEDULED = 100;
export const TOO_MANY_SCHEDULED = `You can have at most ${MAX_SCHEDULED} scheduled messages`;

/** Error for a time that is too soon or too far away. */
export const INVALID_DUE_TIME = 'Choose a time at least a minute from now and within a year';

export const dueTime = timeInput('Invalid date').describe('At least a minute from now, and within a year');

/** A message that is sent later. Only its author sees it. */
export const scheduledMessage = z.object({
  _id: id,
  conversation: id,
  thread: id.nullable().describe('The root of the thread that it replies to'),
  alsoInConversation: z.boolean(),
  content: z.string(),
  mentions,
  sendAt: time,
  failure: z.string().nullable().describe('Why it was not sent, as a sentence; it is not retried automatically'),
  createdAt: time,
});
export type ScheduledMessage = z.infer<typeof scheduledMessage>;

export const listScheduled = endpoint({
  method: 'GET',
  path: '/chat/scheduled',
  summary: 'List the caller’s scheduled messages, those that could not be sent first, then the next first',
  access: 'user',
  query: pageQuery,
  response: pageOf(scheduledMessage),
  status: 200,
});

export const changeScheduled = endpoint({
  method: 'PATCH',
  path: '/chat/scheduled/:id',
  summary: 'Change the text or the time of a scheduled message; a new time also schedules one that could not be sent',
  access: 'user',
  params: idParams,
  body: z.object({ content: content.optional(), sendAt: dueTime.optional() }),
  response: scheduledMessage,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
  rules: [INVALID_DUE_TIME],
});

export const deleteScheduled = endpoint({
  method: 'DELETE',
  path: '/chat/scheduled/:id',
  summary: 'Delete a scheduled message without sending it',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['not_found'],
});

export const sendScheduled = endpoint({
  method: 'POST',
  path: '/chat/scheduled/:id/send',
  summary: 'Send a scheduled message now; once it was sent, its author receives the message again',
  access: 'user',
  params: idParams,
  response: message,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const setReminder = endpoint({
  method: 'PUT',
  path: '/chat/messages/:id/reminder',
  summary: 'Save a message in the caller’s own list, and notify the caller about it at a time',
  access: 'user',
  params: idParams,
  body: z.object({ at: dueTime }),
  response: message,
  status: 200,
  errors: ['not_found', 'conflict'],
  rules: [INVALID_DUE_TIME, TOO_MANY_SAVED],
});

export const removeReminder = endpoint({
  method: 'DELETE',
  path: '/chat/messages/:id/reminder',
  summary: 'Remove the reminder of a message, which stays in the caller’s list; without one, it changes nothing',
  access: 'user',
  params: idParams,
  response: message,
  status: 200,
  errors: ['not_found'],
});
