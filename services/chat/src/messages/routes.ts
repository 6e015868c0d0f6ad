import * as contract from '@atrium/proto-events/http/chat-messages';
import { AppError } from '@atrium/service-kit/http/app-error';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { deleteMessage } from './delete-message.ts';
import { editMessage } from './edit-message.ts';
import { listMessages } from './list-messages.ts';
import { markMessageRead } from './mark-message-read.ts';
import { sendMessage } from './send-message.ts';

export const messageRoutes = (deps: Deps) => [
  handle(contract.listMessages, ({ query }, caller) => listMessages(deps, caller, query)),
  handle(contract.sendMessage, async ({ body }, caller) => {
    if (!body) throw new AppError('unsupported_media_type', 'The body must be JSON');
    return sendMessage(deps, caller, body);
  }),
  handle(contract.editMessage, ({ params, body }, caller) => editMessage(deps, caller, { ...params, ...body })),
  handle(contract.deleteMessage, ({ params }, caller) => deleteMessage(deps, caller, params.id)),
  handle(contract.markMessageRead, ({ params }, caller) => markMessageRead(deps, caller, params.id)),
];
