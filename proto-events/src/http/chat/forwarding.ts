import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams } from '../../fields.ts';
import { clientMessageId, contentWithFiles } from './message-text.ts';
import { message } from './messages.ts';

export const forwardMessage = endpoint({
  method: 'POST',
  path: '/chat/messages/:id/forward',
  summary: 'Send a copy of a message with its files to another conversation; the users it mentions are not notified',
  access: 'user',
  params: idParams,
  body: z.object({ conversation: id, comment: contentWithFiles.default(''), clientMessageId }),
  idempotencyField: 'clientMessageId',
  response: message,
  status: 201,
  errors: ['forbidden', 'not_found', 'conflict'],
});
