import type { listMessages, Message } from '@atrium/proto-events/http/chat/messages';
import type { listReplies } from '@atrium/proto-events/http/chat/threads';
import { call } from '#lib/api/api.ts';
import { createOwnerCheck } from '#lib/session/session.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { unread } from '#realtime/unread.ts';
import { createLinkRecorder } from '../files/image-links.ts';
import { prepareMessages } from '../markdown/parsed-messages.ts';
import { getRootOfLog } from './log-id.ts';
import { lastSeq, type Page, withNewer, withNewest, withOlder, withPageAround } from './message-log.ts';
import { type MessageStore, messageStore } from './message-store.ts';
import { recordRoot, updateRoots } from './thread-roots.ts';

export const PAGE_SIZE = 100;

/** The key under which an open conversation or thread loads its messages. */
export function messagesKey(logId: string): string {
  const root = getRootOfLog(logId);
  return root === null ? `/chat/messages?conversation=${logId}` : `/chat/messages/${root}/thread`;
}

export type Range = { before?: number; after?: number; changedAfter?: number };

/** Dependencies of loading. The app has one source; the load test has one for each of its users. */
export type MessageSource = {
  store: MessageStore;
  /** `total` is the last seq, so deleted messages count. */
  listPage: (logId: string, range: Range) => Promise<Page & { data: Message[]; total: number }>;
  /** Creates state that is reset when another user signs in. */
  createState: <State>(initial: () => State) => () => State;
};

async function listPage(logId: string, range: Range) {
  const recordLinks = createLinkRecorder();
  const root = getRootOfLog(logId);
  const page = await (root === null ? listMessagePage(logId, range) : listReplyPage(root, range));
  recordLinks(page.data);
  await prepareMessages(page.data.map(({ content }) => content));
  return page;
}

async function listMessagePage(conversation: string, range: Range) {
  const query = { conversation, limit: PAGE_SIZE, ...range };
  const isSameOwner = createOwnerCheck();
  const page = await call<typeof listMessages>('GET /chat/messages', { query });
  if (!isSameOwner()) return page;
  unread.recordRoots(page.data);
  updateRoots(page.data);
  return page;
}

async function listReplyPage(id: string, range: Range) {
  const query = { limit: PAGE_SIZE, ...range };
  const record = recordRoot();
  const isSameOwner = createOwnerCheck();
  const page = await call<typeof listReplies>('GET /chat/messages/:id/thread', { params: { id }, query });
  record(page.root);
  if (isSameOwner()) unread.recordRoots([page.root]);
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

  /** Counts window requests per log, so that responses to all but the latest are ignored. */
  const jumps = createState(() => new Map<string, number>());

  function startJump(logId: string): () => boolean {
    const counts = jumps();
    const jump = (counts.get(logId) ?? 0) + 1;
    counts.set(logId, jump);
    return () => counts.get(logId) === jump;
  }

  async function loadNewest(logId: string): Promise<void> {
    const write = logWriter(logId);
    const isLatest = startJump(logId);
    const page = await listPage(logId, {});
    if (isLatest()) write((log) => withNewest(log, page));
  }

  async function loadAround(logId: string, seq: number): Promise<void> {
    const write = logWriter(logId);
    const isLatest = startJump(logId);
    const page = await listPage(logId, { after: Math.max(0, seq - 1 - PAGE_SIZE / 2) });
    if (!isLatest()) return;
    if (page.data.some((message) => message.seq === seq)) write((log) => withPageAround(log, page, seq));
    else await loadNewest(logId);
  }

  async function jumpTo(logId: string, seq: number): Promise<void> {
    const { messages, hasOlder } = logOf(logId);
    // The first message is shown together with the one before it.
    const first = messages[hasOlder ? 1 : 0]?.seq ?? Number.POSITIVE_INFINITY;
    const isLoaded = seq >= first && seq <= (messages.at(-1)?.seq ?? 0);
    if (isLoaded) startJump(logId);
    else await loadAround(logId, seq);
  }

  async function jumpToLatest(logId: string): Promise<void> {
    if (logOf(logId).hasNewer) await loadNewest(logId);
  }

  async function loadOlder(logId: string): Promise<void> {
    const write = logWriter(logId);
    const { messages, hasOlder } = logOf(logId);
    const first = messages[0];
    if (!hasOlder || !first) return;
    await singleFlight(`${logId} older`, async () => {
      const page = await listPage(logId, { before: first.seq });
      write((log) => withOlder(log, page));
    });
  }

  async function loadNewer(logId: string): Promise<void> {
    const write = logWriter(logId);
    const log = logOf(logId);
    if (!log.hasNewer) return;
    await singleFlight(`${logId} newer`, async () => {
      const page = await listPage(logId, { after: lastSeq(log) });
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
