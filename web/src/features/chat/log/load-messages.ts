import type { listMessages } from '@atrium/proto-events/http/chat-messages';
import { call } from '#lib/api/api.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { createLinkRecorder } from '../files/image-links.ts';
import { lastSeq, withNewer, withNewest, withOlder, withPageAround } from './message-log.ts';
import { logOf, logWriter } from './message-store.ts';

export const PAGE_SIZE = 100;

type Range = { before?: number; after?: number; changedAfter?: number };

export async function listPage(conversation: string, range: Range) {
  const recordLinks = createLinkRecorder();
  const query = { conversation, limit: PAGE_SIZE, ...range };
  const page = await call<typeof listMessages>('GET /chat/messages', { query });
  recordLinks(page.data);
  return page;
}

const inFlight = createUserScopedStore(() => new Map<string, Promise<void>>());

/** Runs one operation per key at a time; concurrent callers share it. */
export function singleFlight(key: string, work: () => Promise<void>): Promise<void> {
  const operations = inFlight.get();
  const current = operations.get(key);
  if (current !== undefined) return current;
  const done = work().finally(() => operations.delete(key));
  operations.set(key, done);
  return done;
}

/** The number of window requests per conversation, so that responses to all but the latest are ignored. */
const jumps = createUserScopedStore(() => new Map<string, number>());

function startJump(conversation: string): () => boolean {
  const counts = jumps.get();
  const jump = (counts.get(conversation) ?? 0) + 1;
  counts.set(conversation, jump);
  return () => counts.get(conversation) === jump;
}

/** Opens a window at the end, or extends one that reaches it. */
export async function loadNewest(conversation: string): Promise<void> {
  const write = logWriter(conversation);
  const isLatest = startJump(conversation);
  const page = await listPage(conversation, {});
  if (isLatest()) write((log) => withNewest(log, page));
}

/** Opens a window around a message, or at the end if that seq does not exist. */
export async function loadAround(conversation: string, seq: number): Promise<void> {
  const write = logWriter(conversation);
  const isLatest = startJump(conversation);
  const page = await listPage(conversation, { after: Math.max(0, seq - 1 - PAGE_SIZE / 2) });
  if (!isLatest()) return;
  if (page.data.some((message) => message.seq === seq)) write((log) => withPageAround(log, page, seq));
  else await loadNewest(conversation);
}

/** Ensures that a message is in the window. */
export async function jumpTo(conversation: string, seq: number): Promise<void> {
  const { messages } = logOf(conversation);
  const isLoaded = seq >= (messages[0]?.seq ?? Number.POSITIVE_INFINITY) && seq <= (messages.at(-1)?.seq ?? 0);
  if (isLoaded) startJump(conversation);
  else await loadAround(conversation, seq);
}

/** Ensures that the end is in the window. */
export async function jumpToLatest(conversation: string): Promise<void> {
  if (logOf(conversation).hasNewer) await loadNewest(conversation);
}

/** Loads the page before the first message. */
export async function loadOlder(conversation: string): Promise<void> {
  const write = logWriter(conversation);
  const { messages, hasOlder } = logOf(conversation);
  const first = messages[0];
  if (!hasOlder || !first) return;
  await singleFlight(`${conversation} older`, async () => {
    const page = await listPage(conversation, { before: first.seq });
    write((log) => withOlder(log, page));
  });
}

/** Loads the page after the last message. */
export async function loadNewer(conversation: string): Promise<void> {
  const write = logWriter(conversation);
  const log = logOf(conversation);
  if (!log.hasNewer) return;
  await singleFlight(`${conversation} newer`, async () => {
    const page = await listPage(conversation, { after: lastSeq(log) });
    write((current) => withNewer(current, page));
  });
}
