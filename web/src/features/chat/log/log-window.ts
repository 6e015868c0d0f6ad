import type { Message } from '@atrium/proto-events/http/chat-messages';
import { highest, lastSeq, type MessageLog, newer, settle, withReceived } from './message-log.ts';

/** How many messages a window holds; it grows by a twentieth more before its far end is let go of. */
const MOST = 2_000;

/** A page as the server gives it. */
export type Page = { data: readonly Message[]; hasMore: boolean; revision: number };

/** Takes the newest page. One that leaves a hole after what is known starts the window anew. */
export function withNewest(log: MessageLog, page: Page): MessageLog {
  const first = page.data[0];
  const joins = log.isLoaded && (first === undefined || first.seq <= lastSeq(log) + 1);
  if (joins) return withMissed({ ...log, hasNewer: false }, page);
  return begun(log, page, { hasOlder: page.hasMore, hasNewer: false, anchor: null });
}

/** Takes a page of what came after the last, unless the window was let go of meanwhile. */
export function withMissed(log: MessageLog, page: Page): MessageLog {
  if (!log.isLoaded) return log;
  return withReceived({ ...log, revision: asOf(log, page) }, page.data);
}

/** Begins anew with a page around a seq, to which something else follows where it has more. */
export function withPageAround(log: MessageLog, page: Page, anchor: number): MessageLog {
  const first = page.data[0]?.seq ?? 1;
  return begun(log, page, { hasOlder: first > 1, hasNewer: page.hasMore, anchor });
}

function begun(log: MessageLog, page: Page, where: Pick<MessageLog, 'hasOlder' | 'hasNewer' | 'anchor'>): MessageLog {
  const end = page.data.at(-1)?.seq ?? 0;
  // An edit can overtake the page that was read before it.
  const known = new Map([...log.messages, ...log.ahead].map((message) => [message.seq, message]));
  const started = {
    ...log,
    ...where,
    messages: page.data.map((message) => newer(message, known.get(message.seq))),
    ahead: where.hasNewer ? [] : log.ahead.filter(({ seq }) => seq > end),
    heard: highest(log.heard, page.data),
    revision: page.revision,
    opening: log.opening + 1,
    isLoaded: true,
  };
  return settle(started);
}

/**
 * A change that was told while the page was on its way is not in it, and was passed over as nobody had its message yet. A page
 * without messages says nothing of earlier changes.
 */
function asOf({ revision }: MessageLog, page: Page): number | null {
  return revision === null || page.data.length === 0 ? revision : Math.min(revision, page.revision);
}

/** Puts a page before the first; one that was asked for of another window is left. */
export function withOlder(log: MessageLog, page: Page): MessageLog {
  const first = log.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  const older = page.data.filter(({ seq }) => seq < first);
  if (older.length > 0 && older.at(-1)?.seq !== first - 1) return log;
  return { ...log, messages: [...older, ...log.messages], hasOlder: page.hasMore, revision: asOf(log, page) };
}

/** Puts a page behind the last. What was said since it was read is still to come. */
export function withNewer(log: MessageLog, page: Page): MessageLog {
  const later = page.data.filter(({ seq }) => seq > lastSeq(log));
  if (!log.hasNewer || (later.length > 0 && later[0]?.seq !== lastSeq(log) + 1)) return log;
  const messages = [...log.messages, ...later];
  const end = messages.at(-1)?.seq ?? 0;
  const revision = asOf(log, page);
  return settle({ ...log, messages, hasNewer: page.hasMore || log.heard > end, revision });
}

/** So far behind the end that nobody waits for all that is between: from here on it is read by whoever scrolls there. */
export function resetWindow(log: MessageLog, end: number): MessageLog {
  return { ...log, ahead: [], hasNewer: true, heard: Math.max(log.heard, end) };
}

/** Lets go of what is furthest from the place in sight, where the window has grown too long. */
export function trimmedToWindow(log: MessageLog, inSight: number, most = MOST): MessageLog {
  const { messages } = log;
  if (messages.length <= most * 1.05) return log;
  const isNearEnd = inSight >= (messages[Math.floor(messages.length / 2)]?.seq ?? 0);
  if (isNearEnd) return trimmed(log, most);
  return { ...log, messages: messages.slice(0, most), ahead: [], hasNewer: true };
}

/** Keeps only the newest, for a conversation that nobody looks at. */
export function trimmed(log: MessageLog, keep: number): MessageLog {
  if (log.messages.length <= keep) return log;
  return { ...log, messages: log.messages.slice(-keep), hasOlder: true };
}
