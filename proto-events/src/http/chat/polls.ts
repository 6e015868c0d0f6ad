import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams, requiredName } from '../../fields.ts';
import { MAX_POLL_OPTIONS, MIN_POLL_OPTIONS } from './message-parts.ts';
import { clientMessageId } from './message-text.ts';
import { message } from './messages.ts';

export const MAX_QUESTION_LENGTH = 300;
export const MAX_OPTION_LENGTH = 100;

export const UNKNOWN_OPTION = 'The poll has no such option';
export const ONE_OPTION = 'This poll allows one option';

const options = z
  .array(requiredName('An option is required', MAX_OPTION_LENGTH))
  .min(MIN_POLL_OPTIONS, `A poll needs at least ${MIN_POLL_OPTIONS} options`)
  .max(MAX_POLL_OPTIONS, `A poll can have at most ${MAX_POLL_OPTIONS} options`)
  .refine((texts) => new Set(texts).size === texts.length, 'The options of a poll must be different');

export const createPoll = endpoint({
  method: 'POST',
  path: '/chat/polls',
  summary: 'Send a message with a poll',
  access: 'user',
  body: z.object({
    conversation: id,
    question: requiredName('Question is required', MAX_QUESTION_LENGTH),
    options,
    multiple: z.boolean().default(false),
    anonymous: z.boolean().default(false),
    clientMessageId,
  }),
  idempotencyField: 'clientMessageId',
  response: message,
  status: 201,
  errors: ['forbidden', 'not_found', 'conflict'],
});

export const votePoll = endpoint({
  method: 'PUT',
  path: '/chat/messages/:id/poll/votes',
  summary: 'Replace the caller’s votes; without options, they are withdrawn',
  access: 'user',
  params: idParams,
  body: z.object({
    options: z
      .array(
        z
          .string()
          .max(2, UNKNOWN_OPTION)
          .regex(/^[0-9]+$/, UNKNOWN_OPTION),
      )
      .max(MAX_POLL_OPTIONS),
  }),
  response: message,
  status: 200,
  errors: ['not_found', 'conflict'],
  rules: [UNKNOWN_OPTION, ONE_OPTION],
});

export const closePoll = endpoint({
  method: 'POST',
  path: '/chat/messages/:id/poll/close',
  summary: 'End a poll (its author, or who can delete messages); again, it changes nothing',
  access: 'user',
  params: idParams,
  response: message,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict'],
});
