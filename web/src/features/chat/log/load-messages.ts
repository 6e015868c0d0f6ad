import type { listMessages, Message } from '@atrium/proto-events/http/chat-messages';
import { call } from '#lib/api/api.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { createLinkRecorder } from '../files/image-links.ts';
import { lastSeq, type Page, withNewer, withNewest, withOlder, withPageAround } from './message-log.ts';
import { type MessageStore, messageStore } from './message-store.ts';

export const PAGE_SIZE = 100;

/** The key under which an open conversation loads its messages. */
export const messagesKey = (conversationId: string): string => `/chat/messages?conversation=${conversationId}`;

export type Range = { before?: number; after?: number; changedAfter?: number };

/** Dependencies of loading. The app has one source; the load test has one for each of its users. */
export type MessageSource = {
  store: MessageStore;
  /** `total` is the last seq, so deleted messages count. */
  listPage: (conversationId: string, range: Range) => Promise<Page & { data: Message[]; total: number }>;
  /** Creates state that is reset when another user signs in. */
  createState: <State>(initial: () => State) => () => State;
};

async function listPage(conversationId: string, range: Range) {
  const recordLinks = createLinkRecorder();
  const query = { conversation: conversationId, limit: PAGE_SIZE, ...range };
  const page = await call<typeof listMessages>('GET /chat/messages', { query });
  recordLinks(page.data);
  return page;
}

export type MessageLoader = ReturnType<typeof createMessageLoader>;

export function createMessageLoader({ store, listPage, createState }: MessageSource) {
  const { logOf, logWriter } = store;
  const inFlight = createState(() => new Map<string, Promise<void>>());

  function singleFlight(key: string, work: () => Promise<void>): Promise<void> {
    const operations = inFlight();
    const current = operations.get(key);
    if (current !== undefined) return current;
    const operation = work().finally(() => operations.delete(key));
    operations.set(key, operation);
    return operation;
  }

  /** Counts window requests per conversation, so that responses to all but the latest are ignored. */
  const jumps = createState(() => new Map<string, number>());

  function startJump(conversationId: string): () => boolean {
    const counts = jumps();
    const jump = (counts.get(conversationId) ?? 0) + 1;
    counts.set(conversationId, jump);
    return () => counts.get(conversationId) === jump;
  }

  async function loadNewest(conversationId: string): Promise<void> {
    const write = logWriter(conversationId);
    const isLatest = startJump(conversationId);
    const page = await listPage(conversationId, {});
    if (isLatest()) write((log) => withNewest(log, page));
  }

  async function loadAround(conversationId: string, seq: number): Promise<void> {
    const write = logWriter(conversationId);
    const isLatest = startJump(conversationId);
    const page = await listPage(conversationId, { after: Math.max(0, seq - 1 - PAGE_SIZE / 2) });
    if (!isLatest()) return;
    if (page.data.some((message) => message.seq === seq)) write((log) => withPageAround(log, page, seq));
    else await loadNewest(conversationId);
  }

  async function jumpTo(conversationId: string, seq: number): Promise<void> {
    const { messages } = logOf(conversationId);
    const isLoaded = seq >= (messages[0]?.seq ?? Number.POSITIVE_INFINITY) && seq <= (messages.at(-1)?.seq ?? 0);
    if (isLoaded) startJump(conversationId);
    else await loadAround(conversationId, seq);
  }

  async function jumpToLatest(conversationId: string): Promise<void> {
    if (logOf(conversationId).hasNewer) await loadNewest(conversationId);
  }

  async function loadOlder(conversationId: string): Promise<void> {
    const write = logWriter(conversationId);
    const { messages, hasOlder } = logOf(conversationId);
    const first = messages[0];
    if (!hasOlder || !first) return;
    await singleFlight(`${conversationId} older`, async () => {
      const page = await listPage(conversationId, { before: first.seq });
      write((log) => withOlder(log, page));
    });
  }

  async function loadNewer(conversationId: string): Promise<void> {
    const write = logWriter(conversationId);
    const log = logOf(conversationId);
    if (!log.hasNewer) return;
    await singleFlight(`${conversationId} newer`, async () => {
      const page = await listPage(conversationId, { after: lastSeq(log) });
      write((current) => withNewer(current, page));
    });
  }

  return { singleFlight, loadNewest, loadAround, jumpTo, jumpToLatest, loadOlder, loadNewer };
}

export const messageSource: MessageSource = {
  store: messageStore,
  listPage,
  createState: (initial) => createUserScopedStore(initial).get,
};

export const messageLoader = createMessageLoader(messageSource);

export const { jumpTo, jumpToLatest, loadOlder, loadNewer } = messageLoader;
