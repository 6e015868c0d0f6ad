import { createListeners } from '@atrium/web/lib/listeners';
import { QueryCache } from '@atrium/web/lib/query/query-cache';
import { connectOnce, reconnectDelay } from '@atrium/web/realtime/connection/reconnect-delay';
import type { ChatSocket, LiveSocket } from '@atrium/web/realtime/connection/socket';
import { followChanges } from '@atrium/web/realtime/live-sync';
import { createRefetch } from '@atrium/web/realtime/refetch';
import { itemsOf } from '@atrium/web/realtime/stale-queries';
import { createUnread } from '@atrium/web/realtime/unread';
import { NOTHING_UNREAD, type UnreadResponse } from '@atrium/web/realtime/unread-counts';
import { Manager } from 'socket.io-client';
import { CONVERSATIONS, isMessagesKey, type Screen, UNREAD } from './screens.ts';
import { openTeamChat, type TeamChat } from './team-chat.ts';
import { createTrace } from './trace.ts';
import { createUserState } from './user-state.ts';
import type { VirtualUser } from './virtual-users.ts';

export type BrowserRequest = {
  browser: Browser;
  key: string;
  /** Requested items of the list; absent for the whole list. */
  ids?: ReadonlySet<string>;
  requestedAt: number;
  /** The last event that the browser received before the request. */
  after: string;
};
export type BrowserObserver = {
  onRequest(request: BrowserRequest): void;
  /** Called when the data under a key has changed. */
  onData(browser: Browser, key: string, data: unknown): void;
  onFailure(status: number): void;
};

export type Browser = {
  user: VirtualUser;
  screen: Screen;
  cachedData(key: string): unknown;
  /** The unread count that the browser shows. */
  unread(): number;
  /** Bytes of all responses. */
  bytes(): number;
  isConnected(): boolean;
  setOnline(isOnline: boolean): void;
  close(): void;
};

type OpenBrowserParams = {
  url: string;
  user: VirtualUser;
  screen: Screen;
  observer: BrowserObserver;
};

/**
 * Opens a tab: the web app's cache, its live sync, and a connection with both namespaces, without React. All queries of
 * a screen stay subscribed while the tab is open.
 */
export async function openBrowser({ url, user, screen, observer }: OpenBrowserParams): Promise<Browser> {
  const cache = new QueryCache();
  let bytes = 0;
  let isOnline = true;
  let team: TeamChat | undefined;
  const unreadCounts = createUnread(createUserState(user._id, NOTHING_UNREAD), createListeners());
  const trace = createTrace();
  const { keys, open } = screen;
  const stopObserving = keys.map((key) => cache.observe(key));
  const setEntry = cache.set.bind(cache);
  cache.set = (key, state) => {
    // SWR finds the keys to mutate by `_k`.
    setEntry(key, Object.assign({ _k: key }, state));
    observer.onData(browser, key, browser.cachedData(key));
    // Runs after the data is shown, like an effect.
    if (key === CONVERSATIONS) setTimeout(() => team?.onListChange());
    return cache;
  };
  /** Sends a request on behalf of a key, so that it is counted for that key. */
  const get = async (key: string, path: string) => {
    const ids = new URLSearchParams(path.split('?')[1]).get('ids')?.split(',');
    observer.onRequest({
      browser,
      key,
      ...(ids && { ids: new Set(ids) }),
      requestedAt: performance.now(),
      after: trace.latest(),
    });
    const response = await fetch(`${url}/api${path}`, {
      headers: { authorization: `Bearer ${user.token}` },
    }).catch(() => null);
    const text = (await response?.text().catch(() => undefined)) ?? '';
    bytes += text.length;
    if (response?.ok) return { body: JSON.parse(text) as unknown, hasFailed: false, retryAfterMs: 0 };
    observer.onFailure(response?.status ?? 0);
    return { hasFailed: true, retryAfterMs: Number(response?.headers.get('retry-after') ?? 0) * 1_000 };
  };
  const fetchAndStore = async (key: string) => {
    const { applyEdits, finish } = cache.startRequest(key);
    const { body, ...outcome } = await get(key, key.replace(/&pages=\d+$/, ''));
    if (!outcome.hasFailed) cache.set(key, { data: applyEdits(body) });
    finish(!outcome.hasFailed);
    return { body, ...outcome };
  };
  const fetchMessages = async (key: string) => {
    const { finish } = cache.startRequest(key);
    try {
      await team?.bringUpToDate();
      cache.set(key, { data: true });
      finish(true);
      return { hasFailed: false, retryAfterMs: 0 };
    } catch (error) {
      finish(false);
      return { hasFailed: true, retryAfterMs: error instanceof RequestFailedError ? error.retryAfterMs : 0 };
    }
  };
  const fetchKey = async (key: string) => {
    if (isMessagesKey(key)) return fetchMessages(key);
    if (key !== UNREAD) return fetchAndStore(key);
    let outcome: Awaited<ReturnType<typeof fetchAndStore>> | undefined;
    await unreadCounts
      .request(async () => {
        outcome = await fetchAndStore(key);
        if (outcome.hasFailed) throw new Error('no response');
        // The contract defines the type of the response.
        return outcome.body as UnreadResponse;
      })
      .catch(() => undefined);
    return outcome ?? { hasFailed: true, retryAfterMs: 0 };
  };
  const refresh = createRefetch(cache, {
    // Ignores unobserved keys, like SWR.
    revalidate: async (key) => (cache.isObserved(key) ? fetchKey(key) : { hasFailed: false, retryAfterMs: 0 }),
    async fetchItems(path, key) {
      const { body, ...outcome } = await get(key, path);
      return { items: outcome.hasFailed ? null : itemsOf(body), ...outcome };
    },
    show: (key, data) => void cache.set(key, { data }),
    isVisible: () => true,
    onceVisible: () => undefined,
  });

  const manager = new Manager(url, { transports: ['websocket'], reconnection: false, autoConnect: false });
  const live: LiveSocket = manager.socket('/live', { auth: { token: user.token } });
  const chat: ChatSocket = manager.socket('/chat', { auth: { token: user.token } });
  trace.follow(live, chat);
  const connects = createListeners();
  const isConnected = () => live.connected && chat.connected;
  const disconnectSockets = [live, chat].map((socket) =>
    keepConnected(socket, { isOnline: () => isOnline, onUp: () => isConnected() && connects.notify() }),
  );

  const browser: Browser = {
    user,
    screen,
    cachedData: (key) => (isMessagesKey(key) ? team?.log() : cache.get(key)?.data),
    unread: unreadCounts.total,
    bytes: () => bytes,
    isConnected,
    setOnline(next) {
      isOnline = next;
      for (const socket of [live, chat]) next ? socket.connect() : socket.disconnect();
    },
    close() {
      stopFollowing();
      for (const disconnect of disconnectSockets) disconnect();
      for (const stop of stopObserving) stop();
      manager._close();
    },
  };
  const stopFollowing = followChanges(
    { refetch: refresh, cache, unread: unreadCounts },
    { live, chat, me: () => user._id, department: () => null, loadProfile: async () => undefined, connects },
  );
  const openKey = keys.find(isMessagesKey);
  if (open !== undefined && openKey !== undefined)
    team = openTeamChat({
      cache,
      sockets: { live, chat },
      userId: user._id,
      open,
      refetch: refresh,
      unread: unreadCounts,
      async read(path) {
        const { body, hasFailed, retryAfterMs } = await get(openKey, path);
        if (hasFailed) throw new RequestFailedError(retryAfterMs);
        return body;
      },
      onLog: (log) => observer.onData(browser, openKey, log),
    });
  await Promise.all(keys.map(fetchKey));
  for (const socket of [live, chat]) socket.connect();
  return browser;
}

type Socket = LiveSocket | ChatSocket;

/** Reconnects as the app does: repeatedly, with its delays. */
function keepConnected(
  anySocket: Socket,
  { isOnline, onUp }: { isOnline: () => boolean; onUp: () => void },
): () => void {
  const socket = anySocket as LiveSocket;
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const scheduleRetry = () => {
    clearTimeout(timer);
    if (!isStopped && isOnline()) timer = setTimeout(() => connectOnce(socket), reconnectDelay(attempts++));
  };
  socket.on('connect', () => {
    attempts = 0;
    onUp();
  });
  socket.on('disconnect', scheduleRetry);
  socket.on('connect_error', scheduleRetry);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    socket.disconnect();
  };
}

class RequestFailedError extends Error {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('no response');
    this.retryAfterMs = retryAfterMs;
  }
}
