import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { withNews, withRead } from '@atrium/web/features/chat/conversation-news';
import { AnswerCache } from '@atrium/web/lib/cache/answer-cache';
import { createAskAgain } from '@atrium/web/realtime/ask-again';
import { coalesce } from '@atrium/web/realtime/coalesce';
import { followLive } from '@atrium/web/realtime/follow-live';
import { retryDelay } from '@atrium/web/realtime/retry-delay';
import type { ChatSocket, LiveSocket } from '@atrium/web/realtime/socket';
import { itemsOf } from '@atrium/web/realtime/stale-keys';
import {
  isHeard,
  NOTHING_UNREAD,
  totalOf,
  type UnreadAnswer,
  type UnreadNews,
  withAnswer,
  withQuestion,
  withNews as withUnreadNews,
} from '@atrium/web/realtime/unread-counts';
import { Manager } from 'socket.io-client';
import type { Person } from './office.ts';
import { UNREAD } from './screens.ts';

const CONVERSATIONS = '/chat/conversations';
const READS_EVERY_MS = 1_000;

export type Question = { browser: Browser; key: string; askedAt: number };
export type Watching = {
  asked(question: Question): void;
  /** What is shown under a key is this from now on. */
  shown(browser: Browser, key: string, data: unknown): void;
  refused(status: number): void;
};

export type Browser = {
  person: Person;
  keys: readonly string[];
  held(key: string): unknown;
  /** How many messages it shows as unread. */
  unread(): number;
  /** Bytes of answers so far. */
  bytes(): number;
  isUp(): boolean;
  /** The network goes, or is there again. */
  setOnline(isOnline: boolean): void;
  close(): void;
};

type Given = {
  url: string;
  person: Person;
  /** What its screen holds, and the conversation that is open on it. */
  keys: readonly string[];
  open?: string;
  watching: Watching;
};

/**
 * One tab: the web app's cache, its engine, and a connection with both namespaces as the app has them. Of React it has nothing: what a
 * screen holds is held as long as the tab is there.
 */
export async function openBrowser({ url, person, keys, open, watching }: Given): Promise<Browser> {
  const cache = new AnswerCache();
  let bytes = 0;
  let isOnline = true;
  const counting = createUnread();
  const releases = keys.map((key) => cache.hold(key));
  const set = (key: string, data: unknown) => {
    cache.set(key, { data });
    watching.shown(browser, key, data);
  };
  /** Asks in the name of a key, so that the question counts as one for it. */
  const get = async (key: string, path: string) => {
    watching.asked({ browser, key, askedAt: performance.now() });
    const response = await fetch(`${url}/api${path}`, {
      headers: { authorization: `Bearer ${person.token}` },
    }).catch(() => null);
    const text = (await response?.text().catch(() => undefined)) ?? '';
    bytes += text.length;
    if (response?.ok) return { answer: JSON.parse(text) as unknown, hasFailed: false, refusedMs: 0 };
    watching.refused(response?.status ?? 0);
    return { hasFailed: true, refusedMs: Number(response?.headers.get('retry-after') ?? 0) * 1_000 };
  };
  const ask = async (key: string) => {
    const { end } = cache.ask(key);
    const answered = key === UNREAD ? counting.question() : undefined;
    const { answer, ...outcome } = await get(key, key.replace(/&pages=\d+$/, ''));
    end(!outcome.hasFailed);
    // The type of the answer is the contract's.
    answered?.((answer as UnreadAnswer | undefined) ?? null);
    if (!outcome.hasFailed) set(key, answer);
    return outcome;
  };
  const refresh = createAskAgain(cache, {
    ask,
    async readItems(path, key) {
      const { answer, ...outcome } = await get(key, path);
      return { items: outcome.hasFailed ? null : itemsOf(answer), ...outcome };
    },
    show: set,
    isLookedAt: () => true,
    onceLookedAt: () => undefined,
  });

  const manager = new Manager(url, { transports: ['websocket'], reconnection: false, autoConnect: false });
  const live: LiveSocket = manager.socket('/live', { auth: { token: person.token } });
  const chat: ChatSocket = manager.socket('/chat', { auth: { token: person.token } });
  const listeners = new Set<() => void>();
  const connects = {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell: () => {
      for (const listener of listeners) listener();
    },
  };
  const isUp = () => live.connected && chat.connected;
  const stops = [live, chat].map((socket) =>
    keepConnected(socket, { isOnline: () => isOnline, onUp: () => isUp() && connects.tell() }),
  );

  const browser: Browser = {
    person,
    keys,
    held: (key) => cache.get(key)?.data,
    unread: counting.total,
    bytes: () => bytes,
    isUp,
    setOnline(next) {
      isOnline = next;
      for (const socket of [live, chat]) next ? socket.connect() : socket.disconnect();
    },
    close() {
      stopFollowing();
      for (const stop of stops) stop();
      for (const release of releases) release();
      manager._close();
    },
  };
  const known = (conversation: string) =>
    conversationsOf(cache.get(keys.find(isOfConversations) ?? '')?.data).find(({ _id }) => _id === conversation);
  const stopFollowing = followLive(
    { refresh, answers: cache, isKnownAsRead: (id, seq) => (known(id)?.lastReadSeq ?? -1) >= seq, unread: counting },
    { live, chat, me: () => person._id, loadProfile: async () => undefined, connects },
  );
  if (open !== undefined) followChat({ cache, chat, me: person._id, open, set, refresh, unread: counting });
  await Promise.all(keys.map(ask));
  for (const socket of [live, chat]) socket.connect();
  return browser;
}

const isOfConversations = (key: string) => key.startsWith(`${CONVERSATIONS}?`);
const conversationsOf = (list: unknown) => (list as { data: Conversation[] } | undefined)?.data ?? [];

type Socket = LiveSocket | ChatSocket;

/** As the app does it: again and again, at its pace. */
function keepConnected(given: Socket, { isOnline, onUp }: { isOnline: () => boolean; onUp: () => void }): () => void {
  const socket = given as LiveSocket;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const later = () => {
    clearTimeout(timer);
    if (!isStopped && isOnline()) timer = setTimeout(() => socket.connect(), retryDelay(tries++));
  };
  socket.on('connect', () => {
    tries = 0;
    onUp();
  });
  socket.on('disconnect', later);
  socket.on('connect_error', later);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    socket.disconnect();
  };
}

/** As the app's `unread`, of one browser of many. */
function createUnread() {
  let counts = NOTHING_UNREAD;
  const doubting = new Set<() => void>();
  return {
    note(news: UnreadNews) {
      counts = withUnreadNews(counts, news);
    },
    isHeard: (conversation: string, seq: number) => isHeard(counts, conversation, seq),
    isUncertain: () => counts.isUncertain,
    onDoubt: (listener: () => void) => {
      doubting.add(listener);
      return () => doubting.delete(listener);
    },
    total: () => totalOf(counts),
    question() {
      const from = counts.sinceAsked.length;
      counts = withQuestion(counts);
      return (answer: UnreadAnswer | null) => {
        counts = withAnswer(counts, from, answer);
        if (answer !== null && counts.isUncertain) for (const tell of doubting) tell();
      };
    },
  };
}

type ChatScreen = {
  cache: AnswerCache;
  chat: ChatSocket;
  me: string;
  open: string;
  set: (key: string, data: unknown) => void;
  refresh: ReturnType<typeof createAskAgain>;
  unread: Pick<ReturnType<typeof createUnread>, 'note'>;
};

/** What Team Chat does with what its socket says: the list of conversations is changed where it stands, and what is in sight is read. */
function followChat({ cache, chat, me, open, set, refresh, unread }: ChatScreen): void {
  const update = (id: string, edit: (known: Conversation) => Conversation) => {
    for (const key of [...cache.keys()].filter(isOfConversations)) {
      const data = cache.get(key)?.data as { data: Conversation[] } | undefined;
      if (data) set(key, { ...data, data: data.data.map((one) => (one._id === id ? edit(one) : one)) });
    }
    refresh((key, _age, held) => isOfConversations(key) && cache.get(key)?.data !== undefined && held === undefined);
  };
  const read = coalesce<number>(READS_EVERY_MS, (seqs) => {
    if (chat.connected) chat.emit('message:read', { conversation: open, seq: Math.max(...seqs) }, () => undefined);
  });
  chat.on('message:new', ({ message }: { message: Message }) => {
    const isSeen = message.conversation === open;
    update(message.conversation, (known) => withNews(known, message, { me, isSeen }));
    if (!isSeen || message.sender._id === me) return;
    update(open, (known) => ({ ...known, unreadCount: 0, lastReadSeq: Math.max(known.lastReadSeq, message.seq) }));
    unread.note({ kind: 'seen', conversation: open, seq: message.seq });
    read([message.seq]);
  });
  chat.prependAny((event: string, payload: { conversation: string; user: string; seq: number }) => {
    if (event === 'message:read' && payload.user === me)
      update(payload.conversation, (known) => withRead(known, payload.seq));
  });
  // The app joins what is open after each connect.
  chat.on('connect', () => chat.emit('conversation:join', { conversationId: open }, () => undefined));
}
