import * as contract from '@atrium/proto-events/http/chat-messages';
import { handle } from '@atrium/service-kit/http/handle';
import { markMessageRead } from '../conversations/mark-read.ts';
import type { Deps } from '../deps.ts';
import { deleteMessage, editMessage } from './change-message.ts';
import { listLinks } from './list-links.ts';
import { listMessages } from './list-messages.ts';
import { sendFiles } from './send-files.ts';
import { sendMessage } from './send-message.ts';

export const messageRoutes = (deps: Deps) => [
  handle(contract.listMessages, ({ query }, caller) => listMessages(deps, caller, query)),
  // A form has no parsed body.
  handle(contract.sendMessage, ({ body }, caller, context) =>
    body ? sendMessage(deps, caller, body) : sendFiles(deps, caller, context),
  ),
  handle(contract.listLinks, ({ params, query }, caller) => listLinks(deps, caller, { ...params, ...query })),
  handle(contract.editMessage, ({ params, body }, caller) => editMessage(deps, caller, { ...params, ...body })),
  handle(contract.deleteMessage, ({ params }, caller) => deleteMessage(deps, caller, params.id)),
  handle(contract.markMessageRead, ({ params }, caller) => markMessageRead(deps, caller, params.id)),
];
