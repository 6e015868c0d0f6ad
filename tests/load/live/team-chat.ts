import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { createMessageBuffer, listenerOf } from '@atrium/web/entities/conversation/conversation-events';
import { listChanges } from '@atrium/web/entities/conversation/conversation-list-cache';
import { withSeen } from '@atrium/web/entities/conversation/conversation';
import { type Chat, type ChatDeps, chatEvents, fillGaps } from '@atrium/web/features/chat/chat-event-handlers';
import type { Page } from '@atrium/web/features/chat/log/log-window';
import { createLogs, type LogsById } from '@atrium/web/features/chat/log/logs';
import { PAGE, type Range } from '@atrium/web/features/chat/log/message-source';
import { createSync } from '@atrium/web/features/chat/log/sync';
import { createWindows } from '@atrium/web/features/chat/log/windows';
import { createReadReceipts, hasUnread } from '@atrium/web/features/chat/read-receipts/send-read-receipts';
import type { QueryCache } from '@atrium/web/lib/query/query-cache';
import type { createRefetch } from '@atrium/web/realtime/refetch';
import type { ChatSocket, LiveSocket } from '@atrium/web/realtime/socket';
import type { UnreadTracker } from '@atrium/web/realtime/unread/count-unread';
import { initCache } from 'swr/_internal';
import { CONVERSATIONS } from './screens.ts';
import { createUserState } from './user-state.ts';

type TeamChatParams = {
  cache: QueryCache;
  sockets: { chat: ChatSocket; live: LiveSocket };
  me: string;
  open: string;
  refetch: ReturnType<typeof createRefetch>;
  unread: Pick<UnreadTracker, 'record'>;
  /** Rejects if the path cannot be loaded. */
  read: (path: string) => Promise<unknown>;
  /** The log of the open conversation has changed. */
  onLog: (log: unknown) => void;
};

export type TeamChat = {
  /** As when the conversation opens, and after every reconnect. */
  bringUpToDate(): Promise<unknown>;
  log(): unknown;
  /** The list of conversations was loaded or has changed. */
  listed(): void;
};

/** Team Chat as in the web app, with one visible conversation. */
export function openTeamChat({ cache, sockets, me, open, refetch, unread, read, onLog }: TeamChatParams): TeamChat {
  const initialized = initCache(cache);
  if (!initialized) throw new Error('The cache is already initialized');
  const lists = listChanges({ cache, mutate: initialized[1] });
  const logs = createLogs(createUserState<LogsById>(me, new Map()));
  logs.show(open);
  logs.onChange(() => onLog(logs.of(open)));
  const reading = {
    logs,
    async listPage(conversation: string, range: Range) {
      const query = new URLSearchParams({ conversation, limit: String(PAGE) });
      for (const [name, value] of Object.entries(range)) query.set(name, String(value));
      // The contract defines the type of the response.
      return (await read(`/chat/messages?${query}`)) as Page & { data: Message[]; total: number };
    },
    personal<State>(begin: () => State) {
      const state = begin();
      return () => state;
    },
  };
  const sync = createSync(reading, createWindows(reading));
  const nothing = () => undefined;
  const chatContext: ChatDeps = {
    logs,
    sync,
    sockets,
    typing: { start: nothing, stop: nothing },
    dropOutgoing: nothing,
    isOwnChange: () => false,
  };
  const recordRead = createReadReceipts({
    unread,
    currentUserId: () => me,
    send: (conversation, seq) =>
      sockets.chat.connected && sockets.chat.emit('message:read', { conversation, seq }, () => undefined),
  });
  const chat: Chat = {
    ...chatContext,
    me,
    open,
    isVisible: () => true,
    lists: { ...lists, reload: () => refetch((key) => key.startsWith('/chat/conversations')) },
    buffer: createMessageBuffer(),
    onRead: (conversation, seq) => recordRead(me, conversation, seq),
    onGone: nothing,
    onMembership: nothing,
  };
  sockets.chat.prependAny(listenerOf(chatEvents(chat)));
  fillGaps(open, chatContext);
  let isOpened = false;
  return {
    async bringUpToDate() {
      await sync.syncAll(open, isOpened ? undefined : { at: null });
      isOpened = true;
      return logs.of(open);
    },
    log: () => logs.of(open),
    listed() {
      const { data = [] } = (cache.get(CONVERSATIONS)?.data ?? {}) as { data?: Conversation[] };
      const known = data.find(({ _id }) => _id === open);
      if (!known || !hasUnread(known, me)) return;
      lists.update(open, (one) => withSeen(one, known.lastSeq));
      recordRead(me, open, known.lastSeq);
    },
  };
}
