import type { listMessages, Message } from '@atrium/proto-events/http/chat-messages';
import { call } from '#lib/api/api.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { createLinkRecorder } from '../files/image-links.ts';
import { lastSeq, type Page, withNewer, withNewest, withOlder, withPageAround } from './message-log.ts';
import { type MessageStore, messageStore } from './message-store.ts';

export const PAGE_SIZE = 100;

export type Range = { before?: number; after?: number; changedAfter?: number };

/** Dependencies of loading. The app has one source; the load test has one for each of its users. */
export type MessageSource = {
  store: MessageStore;
  listPage: (conversation: string, range: Range) => Promise<Page & { data: Message[]; total: number }>;
  /** Creates state that is reset when another user signs in. */
  createState: <State>(initial: () => State) => () => State;
};

async function listPage(conversation: string, range: Range) {
  const recordLinks = createLinkRecorder();
  const query = { conversation, limit: PAGE_SIZE, ...range };
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

  function startJump(conversation: string): () => boolean {
    const counts = jumps();
    const jump = (counts.get(conversation) ?? 0) + 1;
    counts.set(conversation, jump);
    return () => counts.get(conversation) === jump;
  }

  async function loadNewest(conversation: string): Promise<void> {
    const write = logWriter(conversation);
    const isLatest = startJump(conversation);
    const page = await listPage(conversation, {});
    if (isLatest()) write((log) => withNewest(log, page));
  }

  async function loadAround(conversation: string, seq: number): Promise<void> {
    const write = logWriter(conversation);
    const isLatest = startJump(conversation);
    const page = await listPage(conversation, { after: Math.max(0, seq - 1 - PAGE_SIZE / 2) });
    if (!isLatest()) return;
    if (page.data.some((message) => message.seq === seq)) write((log) => withPageAround(log, page, seq));
    else await loadNewest(conversation);
  }

  async function jumpTo(conversation: string, seq: number): Promise<void> {
    const { messages } = logOf(conversation);
    const isLoaded = seq >= (messages[0]?.seq ?? Number.POSITIVE_INFINITY) && seq <= (messages.at(-1)?.seq ?? 0);
    if (isLoaded) startJump(conversation);
    else await loadAround(conversation, seq);
  }

  async function jumpToLatest(conversation: string): Promise<void> {
    if (logOf(conversation).hasNewer) await loadNewest(conversation);
  }

  async function loadOlder(conversation: string): Promise<void> {
    const write = logWriter(conversation);
    const { messages, hasOlder } = logOf(conversation);
    const first = messages[0];
    if (!hasOlder || !first) return;
    await singleFlight(`${conversation} older`, async () => {
      const page = await listPage(conversation, { before: first.seq });
      write((log) => withOlder(log, page));
    });
  }

  async function loadNewer(conversation: string): Promise<void> {
    const write = logWriter(conversation);
    const log = logOf(conversation);
    if (!log.hasNewer) return;
    await singleFlight(`${conversation} newer`, async () => {
      const page = await listPage(conversation, { after: lastSeq(log) });
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
