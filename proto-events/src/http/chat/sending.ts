import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, uploadedFile } from '../../fields.ts';
import { MAX_ATTACHMENTS } from './attachments.ts';
import {
  clientMessageId,
  content,
  contentWithFiles,
  EMPTY_MESSAGE,
  messageType,
  NOT_A_ROOT,
  threadFields,
} from './message-text.ts';
import { message } from './messages.ts';
import { dueTime, INVALID_DUE_TIME, scheduledMessage, TOO_MANY_SCHEDULED } from './scheduled.ts';

/** Error for files with a time: they belong to a message that has a seq already. */
export const SCHEDULED_FILES = 'A scheduled message cannot have files';

export const sendMessageBody = z.object({
  conversation: id,
  content,
  type: messageType,
  clientMessageId,
  ...threadFields,
  sendAt: dueTime.optional().describe('Schedules the message instead: at least a minute from now, and within a year'),
});

export const sendMessageFields = z.object({
  conversation: id,
  content: contentWithFiles.default(''),
  type: messageType,
  clientMessageId,
  thread: threadFields.thread,
  // A form has no booleans.
  alsoInConversation: z.stringbool().default(false),
  sendAt: z.string().max(0, SCHEDULED_FILES).optional(),
});

export const sendMessage = endpoint({
  method: 'POST',
  path: '/chat/messages',
  summary:
    'Send a message, as JSON, or as a form with up to 10 files; with `sendAt`, schedule it (202), which a form cannot; a retry after it was sent returns the message (201)',
  access: 'user',
  body: sendMessageBody,
  idempotencyField: 'clientMessageId',
  multipart: sendMessageFields.extend({ attachments: z.array(uploadedFile).max(MAX_ATTACHMENTS).default([]) }),
  response: message,
  status: 201,
  alternateStatus: 202,
  alternateResponse: scheduledMessage,
  errors: ['forbidden', 'not_found', 'conflict', 'too_large', 'unavailable'],
  rules: [
    'The file is empty',
    'A field of the form is too long',
    'The form has too many parts',
    'A message can have at most 10 files',
    NOT_A_ROOT,
    SCHEDULED_FILES,
    INVALID_DUE_TIME,
    TOO_MANY_SCHEDULED,
  ],
});

export const editMessage = endpoint({
  method: 'PATCH',
  path: '/chat/messages/:id',
  summary: 'Edit the text of your own message; it may be empty only if there are attachments',
  access: 'user',
  params: idParams,
  body: z.object({ content: contentWithFiles }),
  response: message,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
  rules: [EMPTY_MESSAGE],
});
