import { createListeners } from '@atrium/web/lib/listeners';
import { QueryCache } from '@atrium/web/lib/query/query-cache';
import { connectOnce, retryDelay } from '@atrium/web/realtime/connection/retry-delay';
import type { ChatSocket, LiveSocket } from '@atrium/web/realtime/connection/socket';
import { liveSync } from '@atrium/web/realtime/live-sync';
import { createRefetch } from '@atrium/web/realtime/refetch';
import { itemsOf } from '@atrium/web/realtime/stale-queries';
import { createUnread } from '@atrium/web/realtime/unread';
import { NOTHING_UNREAD, type UnreadResponse } from '@atrium/web/realtime/unread-counts';
import { Manager } from 'socket.io-client';
import { CONVERSATIONS, isOfMessages, type Screen, UNREAD } from './screens.ts';
import { openTeamChat, type TeamChat } from './team-chat.ts';
import { createTrace } from './trace.ts';
import { createUserState } from './user-state.ts';
import type { Person } from './virtual-users.ts';

/** `ids`: requested items of the list; absent for the whole list. `after`: the last event that the browser received. */
export type BrowserRequest = {
  browser: Browser;
  key: string;
  ids?: ReadonlySet<string>;
  requestedAt: number;
  after: string;
};
export type BrowserObserver = {
  onRequest(request: BrowserRequest): void;
  /** Called when the data under a key has changed. */
  shown(browser: Browser, key: string, data: unknown): void;
  failed(status: number): void;
};

export type Browser = {
  person: Person;
  screen: Screen;
  cachedData(key: string): unknown;
  /** The unread count that the browser shows. */
  unread(): number;
  /** Bytes of all responses. */
  bytes(): number;
  isUp(): boolean;
  setOnline(isOnline: boolean): void;
  close(): void;
};

type OpenBrowserParams = {
  url: string;
  person: Person;
  screen: Screen;
  observer: BrowserObserver;
};

/**
 * One tab: the web app's cache, its live sync, and a connection with both namespaces, without React. All queries of a screen stay subscribed
 * while the tab is open.
 */
export async function openBrowser({ url, person, screen, observer }: OpenBrowserParams): Promise<Browser> {
  const cache = new QueryCache();
  let bytes = 0;
  let isOnline = true;
  let team: TeamChat | undefined;
  const unreadCounts = createUnread(createUserState(person._id, NOTHING_UNREAD), createListeners());
  const trace = createTrace();
  const { keys, open } = screen;
  const releases = keys.map((key) => cache.observe(key));
  const put = cache.set.bind(cache);
  cache.set = (key, state) => {
    // SWR finds the keys to mutate by `_k`.
    put(key, Object.assign({ _k: key }, state));
    observer.shown(browser, key, browser.cachedData(key));
    // Like an effect: after the response is shown.
    if (key === CONVERSATIONS) setTimeout(() => team?.listed());
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
      headers: { authorization: `Bearer ${person.token}` },
    }).catch(() => null);
    const text = (await response?.text().catch(() => undefined)) ?? '';
    bytes += text.length;
    if (response?.ok) return { answer: JSON.parse(text) as unknown, hasFailed: false, retryAfterMs: 0 };
    observer.failed(response?.status ?? 0);
    return { hasFailed: true, retryAfterMs: Number(response?.headers.get('retry-after') ?? 0) * 1_000 };
  };
  const ask = async (key: string) => {
    const { applyEdits, finish } = cache.startRequest(key);
    const { answer, ...outcome } = await get(key, key.replace(/&pages=\d+$/, ''));
    if (!outcome.hasFailed) cache.set(key, { data: applyEdits(answer) });
    finish(!outcome.hasFailed);
    return { answer, ...outcome };
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
      return { hasFailed: true, retryAfterMs: error instanceof RequestFailed ? error.retryAfterMs : 0 };
    }
  };
  const fetchKey = async (key: string) => {
    if (isOfMessages(key)) return fetchMessages(key);
    if (key !== UNREAD) return ask(key);
    let outcome: Awaited<ReturnType<typeof ask>> | undefined;
    await unreadCounts
      .request(async () => {
        outcome = await ask(key);
        if (outcome.hasFailed) throw new Error('no response');
        // The contract defines the type of the response.
        return outcome.answer as UnreadResponse;
      })
      .catch(() => undefined);
    return outcome ?? { hasFailed: true, retryAfterMs: 0 };
  };
  const refresh = createRefetch(cache, {
    // Like SWR: unobserved keys are not fetched.
    refetchKey: async (key) => (cache.isObserved(key) ? fetchKey(key) : { hasFailed: false, retryAfterMs: 0 }),
    async fetchItems(path, key) {
      const { answer, ...outcome } = await get(key, path);
      return { items: outcome.hasFailed ? null : itemsOf(answer), ...outcome };
    },
    show: (key, data) => void cache.set(key, { data }),
    isVisible: () => true,
    onceVisible: () => undefined,
  });

  const manager = new Manager(url, { transports: ['websocket'], reconnection: false, autoConnect: false });
  const live: LiveSocket = manager.socket('/live', { auth: { token: person.token } });
  const chat: ChatSocket = manager.socket('/chat', { auth: { token: person.token } });
  trace.follow(live, chat);
  const connects = createListeners();
  const isUp = () => live.connected && chat.connected;
  const stops = [live, chat].map((socket) =>
    keepConnected(socket, { isOnline: () => isOnline, onUp: () => isUp() && connects.notify() }),
  );

  const browser: Browser = {
    person,
    screen,
    cachedData: (key) => (isOfMessages(key) ? team?.log() : cache.get(key)?.data),
    unread: unreadCounts.total,
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
  const stopFollowing = liveSync(
    { refetch: refresh, cache, unread: unreadCounts },
    { live, chat, me: () => person._id, department: () => null, loadProfile: async () => undefined, connects },
  );
  const openKey = keys.find(isOfMessages);
  if (open !== undefined && openKey !== undefined)
    team = openTeamChat({
      cache,
      sockets: { live, chat },
      me: person._id,
      open,
      refetch: refresh,
      unread: unreadCounts,
      async read(path) {
        const { answer, hasFailed, retryAfterMs } = await get(openKey, path);
        if (hasFailed) throw new RequestFailed(retryAfterMs);
        return answer;
      },
      onLog: (log) => observer.shown(browser, openKey, log),
    });
  await Promise.all(keys.map(fetchKey));
  for (const socket of [live, chat]) socket.connect();
  return browser;
}

type Socket = LiveSocket | ChatSocket;

/** Reconnects like the app: repeatedly, with its delays. */
function keepConnected(given: Socket, { isOnline, onUp }: { isOnline: () => boolean; onUp: () => void }): () => void {
  const socket = given as LiveSocket;
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const scheduleRetry = () => {
    clearTimeout(timer);
    if (!isStopped && isOnline()) timer = setTimeout(() => connectOnce(socket), retryDelay(attempts++));
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

class RequestFailed extends Error {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('no response');
    this.retryAfterMs = retryAfterMs;
  }
}
