import { chatSocket, liveSocket } from '../../realtime/socket.ts';
import type { ChatParts } from './chat-event-handlers.ts';
import { logs } from './log/message-store.ts';
import { catchUp, catchUpChanges } from './log/sync-messages.ts';
import { isOwnChange } from './messages/own-change-filter.ts';
import { dropOutgoing } from './outbox/outbox.ts';
import { noteStopped, noteTyping } from './typing-store.ts';

/** Scoped to the signed-in user. */
export const chatParts: ChatParts = {
  logs,
  sync: { catchUp, catchUpChanges },
  sockets: { chat: chatSocket, live: liveSocket },
  typing: { start: noteTyping, stop: noteStopped },
  dropOutgoing,
  isOwnChange,
};
