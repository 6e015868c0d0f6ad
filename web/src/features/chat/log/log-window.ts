import type { Message } from '@atrium/proto-events/http/chat-messages';
import { highest, lastSeq, type MessageLog, newer, settle, withReceived } from './message-log.ts';

/** Maximum number of messages in a window; exceeded by up to 5% before the far end is dropped. */
const MAX_MESSAGES = 2_000;

export type Page = { data: readonly Message[]; hasMore: boolean; revision: number };

/** Merges the newest page. If it leaves a gap, the window restarts. */
export function withNewest(log: MessageLog, page: Page): MessageLog {
  const first = page.data[0];
  const joins = log.isLoaded && (first === undefined || first.seq <= lastSeq(log) + 1);
  if (joins) return withMissed({ ...log, hasNewer: false }, page);
  return startWindow(log, page, { hasOlder: page.hasMore, hasNewer: false, anchor: null });
}

/** Appends the messages after the last one, unless the window was dropped in the meantime. */
export function withMissed(log: MessageLog, page: Page): MessageLog {
  if (!log.isLoaded) return log;
  return withReceived({ ...log, revision: asOf(log, page) }, page.data);
}

/** Restarts with a page around a seq. */
export function withPageAround(log: MessageLog, page: Page, anchor: number): MessageLog {
  const first = page.data[0]?.seq ?? 1;
  return startWindow(log, page, { hasOlder: first > 1, hasNewer: page.hasMore, anchor });
}

function startWindow(
  log: MessageLog,
  page: Page,
  where: Pick<MessageLog, 'hasOlder' | 'hasNewer' | 'anchor'>,
): MessageLog {
  const end = page.data.at(-1)?.seq ?? 0;
  // An edit can arrive before a page that was read earlier.
  const known = new Map([...log.messages, ...log.ahead].map((message) => [message.seq, message]));
  const started = {
    ...log,
    ...where,
    messages: page.data.map((message) => newer(message, known.get(message.seq))),
    ahead: where.hasNewer ? [] : log.ahead.filter(({ seq }) => seq > end),
    lastKnownSeq: highest(log.lastKnownSeq, page.data),
    revision: page.revision,
    opening: log.opening + 1,
    isLoaded: true,
  };
  return settle(started);
}

/**
 * The revision that a page reflects. Changes announced while it was loading are not in it and were skipped, because their messages were
 * unknown. An empty page says nothing about earlier changes.
 */
function asOf({ revision }: MessageLog, page: Page): number | null {
  return revision === null || page.data.length === 0 ? revision : Math.min(revision, page.revision);
}

/** Prepends a page, unless it belongs to another window. */
export function withOlder(log: MessageLog, page: Page): MessageLog {
  const first = log.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  const older = page.data.filter(({ seq }) => seq < first);
  if (older.length > 0 && older.at(-1)?.seq !== first - 1) return log;
  return { ...log, messages: [...older, ...log.messages], hasOlder: page.hasMore, revision: asOf(log, page) };
}

/** Appends a page. Messages sent since it was read are still missing. */
export function withNewer(log: MessageLog, page: Page): MessageLog {
  const later = page.data.filter(({ seq }) => seq > lastSeq(log));
  if (!log.hasNewer || (later.length > 0 && later[0]?.seq !== lastSeq(log) + 1)) return log;
  const messages = [...log.messages, ...later];
  const end = messages.at(-1)?.seq ?? 0;
  const revision = asOf(log, page);
  return settle({ ...log, messages, hasNewer: page.hasMore || log.lastKnownSeq > end, revision });
}

/** Too far behind the end to load everything in between, so the rest is loaded by scrolling. */
export function resetWindow(log: MessageLog, end: number): MessageLog {
  return { ...log, ahead: [], hasNewer: true, lastKnownSeq: Math.max(log.lastKnownSeq, end) };
}

/** Drops the messages farthest from the visible ones if the window is too long. */
export function trimmedToWindow(log: MessageLog, visibleSeq: number, maxMessages = MAX_MESSAGES): MessageLog {
  const { messages } = log;
  if (messages.length <= maxMessages * 1.05) return log;
  const isNearEnd = visibleSeq >= (messages[Math.floor(messages.length / 2)]?.seq ?? 0);
  if (isNearEnd) return trimmed(log, maxMessages);
  return { ...log, messages: messages.slice(0, maxMessages), ahead: [], hasNewer: true };
}

/** Keeps only the newest messages of a conversation in the background. */
export function trimmed(log: MessageLog, keep: number): MessageLog {
  if (log.messages.length <= keep) return log;
  return { ...log, messages: log.messages.slice(-keep), hasOlder: true };
}
