import { createListeners } from '@atrium/web/lib/listeners';
import { QueryCache } from '@atrium/web/lib/query/query-cache';
import { connectOnce } from '@atrium/web/realtime/connect-once';
import { liveSync } from '@atrium/web/realtime/live-sync';
import { createAskAgain } from '@atrium/web/realtime/refetch';
import { retryDelay } from '@atrium/web/realtime/retry-delay';
import type { ChatSocket, LiveSocket } from '@atrium/web/realtime/socket';
import { itemsOf } from '@atrium/web/realtime/stale-queries';
import { createUnread } from '@atrium/web/realtime/unread/create-unread';
import { NOTHING_UNREAD, type UnreadAnswer } from '@atrium/web/realtime/unread/unread-counts';
import { Manager } from 'socket.io-client';
import { personState } from './person-state.ts';
import { CONVERSATIONS, isOfMessages, type Screen, UNREAD } from './screens.ts';
import { openTeamChat, type TeamChat } from './team-chat.ts';
import { createTrace } from './trace.ts';
import type { Person } from './virtual-users.ts';

/** `ids`: of which items of the list, where it is not for all of it. `after`: what the browser had heard just before. */
export type Question = {
  browser: Browser;
  key: string;
  ids?: ReadonlySet<string>;
  askedAt: number;
  after: string;
};
export type Watching = {
  asked(question: Question): void;
  /** What is shown under a key is this from now on. */
  shown(browser: Browser, key: string, data: unknown): void;
  refused(status: number): void;
};

export type Browser = {
  person: Person;
  screen: Screen;
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
  screen: Screen;
  watching: Watching;
};

/**
 * One tab: the web app's cache, its engine, and a connection with both namespaces as the app has them. Of React it has nothing: what a
 * screen holds is held as long as the tab is there.
 */
export async function openBrowser({ url, person, screen, watching }: Given): Promise<Browser> {
  const cache = new QueryCache();
  let bytes = 0;
  let isOnline = true;
  let team: TeamChat | undefined;
  const counting = createUnread(personState(person._id, NOTHING_UNREAD), createListeners());
  const trace = createTrace();
  const { keys, open } = screen;
  const releases = keys.map((key) => cache.hold(key));
  const put = cache.set.bind(cache);
  cache.set = (key, state) => {
    // SWR finds by it what is changed where it stands.
    put(key, Object.assign({ _k: key }, state));
    watching.shown(browser, key, browser.held(key));
    // As an effect does: once the answer is shown.
    if (key === CONVERSATIONS) setTimeout(() => team?.listed());
    return cache;
  };
  /** Asks in the name of a key, so that the question counts as one for it. */
  const get = async (key: string, path: string) => {
    const ids = new URLSearchParams(path.split('?')[1]).get('ids')?.split(',');
    watching.asked({
      browser,
      key,
      ...(ids && { ids: new Set(ids) }),
      askedAt: performance.now(),
      after: trace.latest(),
    });
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
    const { edited, end } = cache.ask(key);
    const { answer, ...outcome } = await get(key, key.replace(/&pages=\d+$/, ''));
    if (!outcome.hasFailed) cache.set(key, { data: edited(answer) });
    end(!outcome.hasFailed);
    return { answer, ...outcome };
  };
  const askForMessages = async (key: string) => {
    const { end } = cache.ask(key);
    try {
      await team?.bringUpToDate();
      cache.set(key, { data: true });
      end(true);
      return { hasFailed: false, refusedMs: 0 };
    } catch (error) {
      end(false);
      return { hasFailed: true, refusedMs: error instanceof Unanswered ? error.refusedMs : 0 };
    }
  };
  const askFor = async (key: string) => {
    if (isOfMessages(key)) return askForMessages(key);
    if (key !== UNREAD) return ask(key);
    let outcome: Awaited<ReturnType<typeof ask>> | undefined;
    await counting
      .ask(async () => {
        outcome = await ask(key);
        if (outcome.hasFailed) throw new Error('no answer');
        // The type of the answer is the contract's.
        return outcome.answer as UnreadAnswer;
      })
      .catch(() => undefined);
    return outcome ?? { hasFailed: true, refusedMs: 0 };
  };
  const refresh = createAskAgain(cache, {
    // As SWR does: what nothing shows is asked for by whoever shows it.
    ask: async (key) => (cache.isObserved(key) ? askFor(key) : { hasFailed: false, refusedMs: 0 }),
    async readItems(path, key) {
      const { answer, ...outcome } = await get(key, path);
      return { items: outcome.hasFailed ? null : itemsOf(answer), ...outcome };
    },
    show: (key, data) => void cache.set(key, { data }),
    isLookedAt: () => true,
    onceLookedAt: () => undefined,
  });

  const manager = new Manager(url, { transports: ['websocket'], reconnection: false, autoConnect: false });
  const live: LiveSocket = manager.socket('/live', { auth: { token: person.token } });
  const chat: ChatSocket = manager.socket('/chat', { auth: { token: person.token } });
  trace.follow(live, chat);
  const connects = createListeners();
  const isUp = () => live.connected && chat.connected;
  const stops = [live, chat].map((socket) =>
    keepConnected(socket, { isOnline: () => isOnline, onUp: () => isUp() && connects.tell() }),
  );

  const browser: Browser = {
    person,
    screen,
    held: (key) => (isOfMessages(key) ? team?.log() : cache.get(key)?.data),
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
  const stopFollowing = liveSync(
    { refresh, answers: cache, unread: counting },
    { live, chat, me: () => person._id, department: () => null, loadProfile: async () => undefined, connects },
  );
  const openKey = keys.find(isOfMessages);
  if (open !== undefined && openKey !== undefined)
    team = openTeamChat({
      cache,
      sockets: { live, chat },
      me: person._id,
      open,
      askAgain: refresh,
      unread: counting,
      async read(path) {
        const { answer, hasFailed, refusedMs } = await get(openKey, path);
        if (hasFailed) throw new Unanswered(refusedMs);
        return answer;
      },
      onLog: (log) => watching.shown(browser, openKey, log),
    });
  await Promise.all(keys.map(askFor));
  for (const socket of [live, chat]) socket.connect();
  return browser;
}

type Socket = LiveSocket | ChatSocket;

/** As the app does it: again and again, at its pace. */
function keepConnected(given: Socket, { isOnline, onUp }: { isOnline: () => boolean; onUp: () => void }): () => void {
  const socket = given as LiveSocket;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const later = () => {
    clearTimeout(timer);
    if (!isStopped && isOnline()) timer = setTimeout(() => connectOnce(socket), retryDelay(tries++));
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

class Unanswered extends Error {
  readonly refusedMs: number;

  constructor(refusedMs: number) {
    super('no answer');
    this.refusedMs = refusedMs;
  }
}
