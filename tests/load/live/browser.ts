import './page.ts';
import { insertPeople } from '@atrium/proto-events/insert-people';
import type { User } from '@atrium/proto-events/people';
import { followConversations } from '@atrium/web/entities/conversation/follow-conversations';
import { errorFromResponse } from '@atrium/web/lib/api/api-error';
import { createListeners } from '@atrium/web/lib/listeners';
import { QueryCache } from '@atrium/web/lib/query/query-cache';
import { refetchStale } from '@atrium/web/lib/query/refetch-stale';
import { connectOnce, reconnectDelay } from '@atrium/web/realtime/connection/reconnect-delay';
import type { ChatSocket, LiveSocket } from '@atrium/web/realtime/connection/socket';
import { followChanges } from '@atrium/web/realtime/follow-changes';
import { NOTHING_UNREAD, type UnreadResponse } from '@atrium/web/realtime/read-states';
import { createUnread, type Unread } from '@atrium/web/realtime/unread';
import { Manager } from 'socket.io-client';
import { CONVERSATIONS, isMessagesKey, type Screen, UNREAD } from './screens.ts';
import { openTeamChat, type TeamChat } from './team-chat.ts';
import { createTrace } from './trace.ts';
import { createUserState } from './user-state.ts';
import type { VirtualUser } from './virtual-users.ts';

export type BrowserRequest = {
  browser: Browser;
  key: string;
  requestedAt: number;
  /** The last event that the browser received before the request. */
  after: string;
};
export type BrowserObserver = {
  onRequest(request: BrowserRequest): void;
  /** Called when the data under a key has changed. */
  onData(browser: Browser, key: string, data: unknown): void;
  onFailure(status: number): void;
  onEvent?(browser: Browser, event: string, payload: unknown): void;
};

export type Browser = {
  user: VirtualUser;
  screen: Screen;
  cachedData(key: string): unknown;
  /** The unread counts that the browser shows. */
  unread: Pick<Unread, 'total' | 'countIn' | 'lastReadSeqIn'>;
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
 * Opens a tab: the web app's cache, its live updates, and a connection with both namespaces, without React. All queries of
 * a screen stay subscribed while the tab is open.
 */
export async function openBrowser({ url, user, screen, observer }: OpenBrowserParams): Promise<Browser> {
  const cache = new QueryCache();
  let bytes = 0;
  let isOnline = true;
  let team: TeamChat | undefined;
  const unread = createUnread(createUserState(user._id, NOTHING_UNREAD));
  const trace = createTrace();
  const { keys, open } = screen;
  const stopObserving = keys.map((key) => cache.observe(key));
  const show = (key: string, data: unknown) => {
    cache.set(key, { data });
    observer.onData(browser, key, browser.cachedData(key));
    // Runs after the data is shown, like an effect.
    if (key === CONVERSATIONS) setTimeout(() => team?.onListChange());
  };
  cache.show = show;
  /** Sends a request on behalf of a key, so that it is counted for that key. */
  const get = async (key: string, path: string): Promise<unknown> => {
    observer.onRequest({ browser, key, requestedAt: performance.now(), after: trace.latest() });
    const response = await fetch(`${url}/api${path}`, {
      headers: { authorization: `Bearer ${user.token}` },
    }).catch(() => null);
    const text = (await response?.text().catch(() => undefined)) ?? '';
    bytes += text.length;
    if (response?.ok) return insertPeople(JSON.parse(text));
    observer.onFailure(response?.status ?? 0);
    throw errorFromResponse(response?.status ?? 0, null, (name) => response?.headers.get(name) ?? null);
  };
  const read = (key: string) => {
    const load = () => get(key, key.replace(/&pages=\d+$/, ''));
    if (isMessagesKey(key)) return team?.bringUpToDate() ?? Promise.resolve(true);
    // The contract defines the type of the response.
    return key === UNREAD ? unread.request(load as () => Promise<UnreadResponse>) : load();
  };
  const fetchKey = async (key: string) => {
    const request = cache.startRequest(key);
    try {
      show(key, request.succeed(await read(key)));
    } catch (error) {
      request.fail(error);
      throw error;
    }
  };
  const staleRefetch = refetchStale({
    cache,
    // Ignores unobserved keys, like SWR.
    revalidate: async (key) => (cache.isObserved(key) ? fetchKey(key) : undefined),
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
    unread,
    bytes: () => bytes,
    isConnected,
    setOnline(next) {
      isOnline = next;
      for (const socket of [live, chat]) next ? socket.connect() : socket.disconnect();
    },
    close() {
      team?.close();
      stopConversations();
      stopFollowing();
      for (const disconnect of disconnectSockets) disconnect();
      for (const stop of stopObserving) stop();
      manager._close();
    },
  };
  const profile = (await get('profile', '/users/profile')) as User;
  const me = () => user._id;
  for (const socket of [live, chat])
    socket.onAny((event: string, payload: unknown) => observer.onEvent?.(browser, event, payload));
  const stopConversations = followConversations({ cache, chat, me });
  const stopFollowing = followChanges(
    { cache, staleRefetch, unread },
    { live, chat, user: () => profile, loadProfile: async () => undefined, connects },
  );
  const openKey = keys.find(isMessagesKey);
  if (open !== undefined && openKey !== undefined)
    team = openTeamChat({
      cache,
      sockets: { live, chat },
      userId: user._id,
      open,
      unread,
      read: (path) => get(openKey, path),
      onLog: (log) => observer.onData(browser, openKey, log),
    });
  await Promise.all(keys.map((key) => fetchKey(key).catch(() => undefined)));
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
