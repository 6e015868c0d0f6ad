import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { listenerOf } from '@atrium/web/entities/conversation/conversation-events';
import { listChanges } from '@atrium/web/entities/conversation/conversation-list-cache';
import { withSeen } from '@atrium/web/entities/conversation/conversation-reducers';
import { earlyMessages } from '@atrium/web/entities/conversation/message-buffer';
import { type Chat, type ChatParts, chatEvents, fillGaps } from '@atrium/web/features/chat/chat-event-handlers';
import type { Page } from '@atrium/web/features/chat/log/log-window';
import { createLogs, type LogsById } from '@atrium/web/features/chat/log/logs';
import { PAGE, type Range } from '@atrium/web/features/chat/log/message-source';
import { createSync } from '@atrium/web/features/chat/log/sync';
import { createWindows } from '@atrium/web/features/chat/log/windows';
import { createReads, isToBeRead } from '@atrium/web/features/chat/read-receipts/send-read-receipts';
import type { QueryCache } from '@atrium/web/lib/query/query-cache';
import type { createAskAgain } from '@atrium/web/realtime/refetch';
import type { ChatSocket, LiveSocket } from '@atrium/web/realtime/socket';
import type { Countable } from '@atrium/web/realtime/unread/count-unread';
import { initCache } from 'swr/_internal';
import { personState } from './person-state.ts';
import { CONVERSATIONS } from './screens.ts';

type Given = {
  cache: QueryCache;
  sockets: { chat: ChatSocket; live: LiveSocket };
  me: string;
  open: string;
  askAgain: ReturnType<typeof createAskAgain>;
  unread: Pick<Countable, 'note'>;
  /** Answers what is under a path; rejects where it cannot be had. */
  read: (path: string) => Promise<unknown>;
  /** The log of the open conversation is another from now on. */
  onLog: (log: unknown) => void;
};

export type TeamChat = {
  /** As opening the conversation does it, and every reconnect. */
  bringUpToDate(): Promise<unknown>;
  log(): unknown;
  /** The list of conversations has been answered, or changed. */
  listed(): void;
};

/** Team Chat as the web app has it, with one conversation open and in sight. */
export function openTeamChat({ cache, sockets, me, open, askAgain, unread, read, onLog }: Given): TeamChat {
  const made = initCache(cache);
  if (!made) throw new Error('the cache is known already');
  const lists = listChanges({ cache, mutate: made[1] });
  const logs = createLogs(personState<LogsById>(me, new Map()));
  logs.show(open);
  logs.onChange(() => onLog(logs.of(open)));
  const reading = {
    logs,
    async listPage(conversation: string, range: Range) {
      const query = new URLSearchParams({ conversation, limit: String(PAGE) });
      for (const [name, value] of Object.entries(range)) query.set(name, String(value));
      // The type of the answer is the contract's.
      return (await read(`/chat/messages?${query}`)) as Page & { data: Message[]; total: number };
    },
    personal<State>(begin: () => State) {
      const state = begin();
      return () => state;
    },
  };
  const sync = createSync(reading, createWindows(reading));
  const nothing = () => undefined;
  const parts: ChatParts = {
    logs,
    sync,
    sockets,
    typing: { start: nothing, stop: nothing },
    dropOutgoing: nothing,
    isOwnChange: () => false,
  };
  const noteRead = createReads({
    unread,
    currentUserId: () => me,
    tell: (conversation, seq) =>
      sockets.chat.connected && sockets.chat.emit('message:read', { conversation, seq }, () => undefined),
  });
  const chat: Chat = {
    ...parts,
    me,
    open,
    isVisible: () => true,
    lists: { ...lists, reload: () => askAgain((key) => key.startsWith('/chat/conversations')) },
    early: earlyMessages(),
    onRead: (conversation, seq) => noteRead(me, conversation, seq),
    onGone: nothing,
    onMembership: nothing,
  };
  sockets.chat.prependAny(listenerOf(chatEvents(chat)));
  fillGaps(open, parts);
  let isOpened = false;
  return {
    async bringUpToDate() {
      await sync.bringUpToDate(open, isOpened ? undefined : { at: null });
      isOpened = true;
      return logs.of(open);
    },
    log: () => logs.of(open),
    listed() {
      const { data = [] } = (cache.get(CONVERSATIONS)?.data ?? {}) as { data?: Conversation[] };
      const known = data.find(({ _id }) => _id === open);
      if (!known || !isToBeRead(known, me)) return;
      lists.update(open, (one) => withSeen(one, known.lastSeq));
      noteRead(me, open, known.lastSeq);
    },
  };
}
