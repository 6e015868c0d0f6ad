import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { createListener } from '@atrium/web/entities/conversation/follow-conversations';
import { type Chat, chatEventHandlers } from '@atrium/web/features/chat/chat-event-handlers';
import { fillGaps } from '@atrium/web/features/chat/log/fill-gaps';
import { createMessageLoader, type MessageSource, PAGE_SIZE } from '@atrium/web/features/chat/log/load-messages';
import { type Page, withUsers } from '@atrium/web/features/chat/log/message-log';
import { createMessageStore, type LogsById } from '@atrium/web/features/chat/log/message-store';
import { createMessageSync } from '@atrium/web/features/chat/log/sync-messages';
import { createReadReceipts } from '@atrium/web/features/chat/read-receipts/record-read';
import type { QueryCache } from '@atrium/web/lib/query/query-cache';
import type { ChatSocket, LiveSocket } from '@atrium/web/realtime/connection/socket';
import type { Unread } from '@atrium/web/realtime/unread';
import { onUserChanges } from '@atrium/web/realtime/user-changes';
import { CONVERSATIONS } from './screens.ts';
import { createUserState } from './user-state.ts';

type TeamChatParams = {
  cache: QueryCache;
  sockets: { chat: ChatSocket; live: LiveSocket };
  userId: string;
  open: string;
  unread: Unread;
  /** Rejects if the path cannot be loaded. */
  read: (path: string) => Promise<unknown>;
  /** Called when the log of the open conversation has changed. */
  onLog: (log: unknown) => void;
};

export type TeamChat = {
  /** Loads messages, as when the conversation opens and after every reconnect. */
  bringUpToDate(): Promise<unknown>;
  log(): unknown;
  close(): void;
  /** Call when the list of conversations was loaded or has changed. */
  onListChange(): void;
};

/** Opens Team Chat as the web app does, with one visible conversation. */
export function openTeamChat({ cache, sockets, userId, open, unread, read, onLog }: TeamChatParams): TeamChat {
  const store = createMessageStore(createUserState<LogsById>(userId, new Map()));
  store.showLog(open);
  const close = onUserChanges((users) => store.changeAllLogs((log) => withUsers(log, users)));
  store.onLogsChange(() => onLog(store.logOf(open)));
  const source: MessageSource = {
    store,
    async listPage(conversation, range) {
      const query = new URLSearchParams({ conversation, limit: String(PAGE_SIZE) });
      for (const [name, value] of Object.entries(range)) query.set(name, String(value));
      // The contract defines the type of the response.
      return (await read(`/chat/messages?${query}`)) as Page & { data: Message[]; total: number };
    },
    createState(initial) {
      const state = initial();
      return () => state;
    },
  };
  const sync = createMessageSync(source, createMessageLoader(source));
  const noop = () => undefined;
  const recordRead = createReadReceipts({
    unread,
    currentUserId: () => userId,
    send: async ({ id, seq }) => {
      if (sockets.chat.connected) sockets.chat.emit('message:read', { conversation: id, seq }, () => undefined);
    },
  });
  const chat: Chat = {
    currentUserId: userId,
    open,
    isVisible: () => true,
    store,
    typing: { start: noop, stop: noop },
    onRead: (conversation, seq) => recordRead(userId, conversation, seq),
    onGone: noop,
    onMembership: noop,
  };
  sockets.chat.prependAny(createListener(chatEventHandlers(chat)));
  fillGaps(open, { store, sync, live: sockets.live });
  let isOpened = false;
  return {
    async bringUpToDate() {
      await sync.syncAll(open, isOpened ? undefined : { at: null });
      isOpened = true;
      return store.logOf(open);
    },
    log: () => store.logOf(open),
    close,
    onListChange() {
      const { data = [] } = (cache.get(CONVERSATIONS)?.data ?? {}) as { data?: Conversation[] };
      unread.recordListed(data);
      const conversation = data.find(({ _id }) => _id === open);
      if (!conversation || unread.countIn(conversation) === 0) return;
      recordRead(userId, open, conversation.lastSeq);
    },
  };
}
