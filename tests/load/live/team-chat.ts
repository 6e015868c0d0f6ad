import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { withSeen } from '@atrium/web/entities/conversation/conversation';
import { createListener, createMessageBuffer } from '@atrium/web/entities/conversation/conversation-events';
import { listChanges } from '@atrium/web/entities/conversation/conversation-list-cache';
import { type Chat, chatEventHandlers } from '@atrium/web/features/chat/chat-event-handlers';
import { fillGaps } from '@atrium/web/features/chat/log/fill-gaps';
import { createMessageLoader, type MessageSource, PAGE_SIZE } from '@atrium/web/features/chat/log/load-messages';
import type { Page } from '@atrium/web/features/chat/log/message-log';
import { createMessageStore, type LogsById } from '@atrium/web/features/chat/log/message-store';
import { createMessageSync } from '@atrium/web/features/chat/log/sync-messages';
import { createReadReceipts, hasUnread } from '@atrium/web/features/chat/read-receipts/record-read';
import type { QueryCache } from '@atrium/web/lib/query/query-cache';
import type { ChatSocket, LiveSocket } from '@atrium/web/realtime/connection/socket';
import type { UnreadTracker } from '@atrium/web/realtime/count-unread';
import type { createRefetch } from '@atrium/web/realtime/refetch';
import { initCache } from 'swr/_internal';
import { CONVERSATIONS } from './screens.ts';
import { createUserState } from './user-state.ts';

type TeamChatParams = {
  cache: QueryCache;
  sockets: { chat: ChatSocket; live: LiveSocket };
  userId: string;
  open: string;
  refetch: ReturnType<typeof createRefetch>;
  unread: Pick<UnreadTracker, 'record'>;
  /** Rejects if the path cannot be loaded. */
  read: (path: string) => Promise<unknown>;
  /** Called when the log of the open conversation has changed. */
  onLog: (log: unknown) => void;
};

export type TeamChat = {
  /** Loads messages, as when the conversation opens and after every reconnect. */
  bringUpToDate(): Promise<unknown>;
  log(): unknown;
  /** Call when the list of conversations was loaded or has changed. */
  onListChange(): void;
};

/** Opens Team Chat as the web app does, with one visible conversation. */
export function openTeamChat({ cache, sockets, userId, open, refetch, unread, read, onLog }: TeamChatParams): TeamChat {
  const initialized = initCache(cache);
  if (!initialized) throw new Error('The cache is already initialized');
  const lists = listChanges({ cache, mutate: initialized[1] });
  const store = createMessageStore(createUserState<LogsById>(userId, new Map()));
  store.showLog(open);
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
    send: (conversation, seq) =>
      sockets.chat.connected && sockets.chat.emit('message:read', { conversation, seq }, () => undefined),
  });
  const chat: Chat = {
    currentUserId: userId,
    open,
    isVisible: () => true,
    store,
    typing: { start: noop, stop: noop },
    lists: { ...lists, reload: () => refetch((key) => key.startsWith('/chat/conversations')) },
    buffer: createMessageBuffer(),
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
    onListChange() {
      const { data = [] } = (cache.get(CONVERSATIONS)?.data ?? {}) as { data?: Conversation[] };
      const conversation = data.find(({ _id }) => _id === open);
      if (!conversation || !hasUnread(conversation, userId)) return;
      lists.update(open, (current) => withSeen(current, conversation.lastSeq));
      recordRead(userId, open, conversation.lastSeq);
    },
  };
}
