import * as contract from '@atrium/proto-events/http/chat';
import { handle, respondExisting } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from '../deps.ts';
import { createConversation } from './create-conversation.ts';
import {
  addParticipant,
  deleteConversation,
  leaveConversation,
  removeParticipant,
  renameConversation,
} from './manage-conversation.ts';
import { markRead } from './mark-read.ts';
import { getUnread, getUnreadCount, listConversations, readConversation } from './read-conversations.ts';

export const conversationRoutes = (deps: Deps) => [
  handle(contract.listConversations, ({ query }, caller) => listConversations(deps, caller, query)),
  handle(contract.createConversation, async ({ body }, caller, context) => {
    const { conversation, existed } = await createConversation(deps, caller, {
      body,
      key: idempotencyKey(context.req),
    });
    if (existed) respondExisting(context);
    return conversation;
  }),
  handle(contract.getConversation, ({ params }, caller) => readConversation(deps, caller, params.id)),
  handle(contract.renameConversation, ({ params, body }, caller) =>
    renameConversation(deps, caller, { ...params, ...body }),
  ),
  handle(contract.deleteConversation, ({ params }, caller) => deleteConversation(deps, caller, params.id)),
  handle(contract.addParticipant, ({ params, body }, caller) => addParticipant(deps, caller, { ...params, ...body })),
  handle(contract.removeParticipant, ({ params, body }, caller) =>
    removeParticipant(deps, caller, { ...params, ...body }),
  ),
  handle(contract.removeParticipantByPath, ({ params }, caller) => removeParticipant(deps, caller, params)),
  handle(contract.leaveConversation, ({ params }, caller) => leaveConversation(deps, caller, params.id)),
  handle(contract.getUnreadCount, ({ params }, caller) => getUnreadCount(deps, caller, params.id)),
  handle(contract.getUnread, (_request, caller) => getUnread(deps, caller)),
  handle(contract.markConversationRead, ({ params, body }, caller) =>
    markRead(deps, caller, { conversation: params.id, ...body }),
  ),
];
