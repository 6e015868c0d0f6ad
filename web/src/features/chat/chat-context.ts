import { chatSocket, liveSocket } from '#realtime/socket.ts';
import type { ChatDeps } from './chat-event-handlers.ts';
import { logs } from './log/message-store.ts';
import { catchUp, catchUpChanges } from './log/sync-messages.ts';
import { isOwnChange } from './messages/own-change-filter.ts';
import { dropOutgoing } from './outbox/outbox.ts';
import { clearTyping, recordTyping } from './typing-store.ts';

/** Scoped to the signed-in user. */
export const chatDeps: ChatDeps = {
  logs,
  sync: { catchUp, catchUpChanges },
  sockets: { chat: chatSocket, live: liveSocket },
  typing: { start: recordTyping, stop: clearTyping },
  dropOutgoing,
  isOwnChange,
};
