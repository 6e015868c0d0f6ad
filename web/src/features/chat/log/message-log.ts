import type { Message, Thread } from '@atrium/proto-events/http/chat/messages';
import type { UserSummary } from '@atrium/proto-events/people';
import { withoutContent } from '#entities/conversation/conversation.ts';
import { laterThread, newer, withChangedUsers } from './merge-messages.ts';

/**
 * A window into the messages of one conversation or thread, usually at its end. The server assigns consecutive, never reused
 * `seq` numbers, which determine order, gaps, and duplicates for every source: pages, socket events, catch-up, and send
 * responses.
 */
export type MessageLog = {
  /** Oldest first, without gaps. */
  messages: readonly Message[];
  /** Out-of-order messages, buffered until the gap closes. */
  ahead: readonly Message[];
  hasOlder: boolean;
  /** If true, new messages are loaded by scrolling, not appended. */
  hasNewer: boolean;
  /** The highest known seq, inside or outside the window. */
  lastKnownSeq: number;
  /** These messages include all edits and deletions up to this revision; null before the first page. */
  revision: number | null;
  /** The highest announced revision, whether or not its message is in the window. */
  announcedRevision: number;
  /** Increases when the window restarts elsewhere. */
  windowNumber: number;
  /** The seq that the window opened around; null at the end. */
  anchor: number | null;
  isLoaded: boolean;
};

export const EMPTY_LOG: MessageLog = {
  messages: [],
  ahead: [],
  hasOlder: false,
  hasNewer: false,
  lastKnownSeq: 0,
  revision: null,
  announcedRevision: 0,
  windowNumber: 0,
  anchor: null,
  isLoaded: false,
};

/** The last seq before any gap. */
export const lastSeq = ({ messages }: MessageLog): number => messages.at(-1)?.seq ?? 0;

/** Whether known messages are missing at the end, because an event was lost or the page predates them. */
export const isBehind = (log: MessageLog): boolean => log.isLoaded && !log.hasNewer && log.lastKnownSeq > lastSeq(log);

export const withKnownSeq = (log: MessageLog, seq: number): MessageLog =>
  seq > log.lastKnownSeq ? { ...log, lastKnownSeq: seq } : log;

/** Adds received messages; idempotent, and independent of their order. */
export function withReceived(log: MessageLog, received: readonly Message[]): MessageLog {
  if (received.length === 0) return log;
  const first = log.messages[0]?.seq ?? lastSeq(log) + 1;
  const incoming = received.filter(({ seq }) => !log.isLoaded || seq >= first);
  const later = incoming.filter(({ seq }) => !log.isLoaded || seq > lastSeq(log));
  const changed = new Map(
    incoming.filter((message) => !later.includes(message)).map((message) => [message.seq, message]),
  );
  const messages =
    changed.size === 0 ? log.messages : log.messages.map((known) => newer(known, changed.get(known.seq)));
  const ahead = log.hasNewer ? log.ahead : [...log.ahead, ...later];
  return appendConsecutive({ ...log, messages, ahead, lastKnownSeq: highest(log.lastKnownSeq, received) });
}

export function withDeleted(log: MessageLog, seq: number): MessageLog {
  const empty = (message: Message) => (message.seq === seq ? withoutContent(message) : message);
  return { ...log, messages: log.messages.map(empty), ahead: log.ahead.map(empty) };
}

/** Changes a message by its id, if it is in the log. */
export function withMessage(log: MessageLog, id: string, change: (message: Message) => Message): MessageLog {
  const isIt = ({ _id }: Message) => _id === id;
  if (!log.messages.some(isIt) && !log.ahead.some(isIt)) return log;
  const update = (message: Message) => (isIt(message) ? change(message) : message);
  return { ...log, messages: log.messages.map(update), ahead: log.ahead.map(update) };
}

/** Applies what the root of a thread shows after a reply. */
export const withThread = (log: MessageLog, root: string, thread: Thread): MessageLog =>
  withMessage(log, root, (message) => ({ ...message, thread: laterThread(message.thread, thread) }));

export const withSaved = (log: MessageLog, id: string, saved: boolean): MessageLog =>
  withMessage(log, id, (message) => ({ ...message, saved }));

export function withUsers(log: MessageLog, users: ReadonlyMap<string, UserSummary>): MessageLog {
  const update = (message: Message) => withChangedUsers(message, users);
  const messages = log.messages.map(update);
  const ahead = log.ahead.map(update);
  const isSame = (list: readonly Message[], before: readonly Message[]) => list.every((item, n) => item === before[n]);
  return isSame(messages, log.messages) && isSame(ahead, log.ahead) ? log : { ...log, messages, ahead };
}

/** Records a change that the messages include; a change that does not follow leaves a gap to be fetched. */
export function withRevision(log: MessageLog, revision: number | undefined): MessageLog {
  const updated = withAnnouncedRevision(log, revision);
  const isNext = log.revision !== null && revision === log.revision + 1;
  return isNext ? { ...updated, revision } : updated;
}

export const withAnnouncedRevision = (log: MessageLog, revision = 0): MessageLog =>
  revision > log.announcedRevision ? { ...log, announcedRevision: revision } : log;

export const hasMissedChanges = ({ revision, announcedRevision }: MessageLog): boolean =>
  revision !== null && announcedRevision > revision;

const highest = (seq: number, messages: readonly Message[]): number =>
  messages.reduce((max, message) => Math.max(max, message.seq), seq);

/** Moves consecutive messages from `ahead` to `messages`. */
function appendConsecutive(log: MessageLog): MessageLog {
  if (!log.isLoaded || log.ahead.length === 0) return log;
  const waitingMessages = new Map<number, Message>();
  for (const message of log.ahead) waitingMessages.set(message.seq, newer(message, waitingMessages.get(message.seq)));
  const messages = [...log.messages];
  for (let next = waitingMessages.get(lastSeq(log) + 1); next; next = waitingMessages.get(next.seq + 1)) {
    messages.push(next);
    waitingMessages.delete(next.seq);
  }
  const end = messages.at(-1)?.seq ?? 0;
  return { ...log, messages, ahead: [...waitingMessages.values()].filter(({ seq }) => seq > end) };
}

/** Maximum number of messages in a window; exceeded by up to 5% before the far end is dropped. */
const MAX_MESSAGES = 2_000;

export type Page = { data: readonly Message[]; hasMore: boolean; revision: number };

/** Merges the newest page. If it leaves a gap, the window restarts. */
export function withNewest(log: MessageLog, page: Page): MessageLog {
  const first = page.data[0];
  const isAdjacent = log.isLoaded && (first === undefined || first.seq <= lastSeq(log) + 1);
  if (isAdjacent) return withMissed({ ...log, hasNewer: false }, page);
  return startWindow(log, page, { hasOlder: page.hasMore, hasNewer: false, anchor: null });
}

/** Appends the messages after the last one, unless the window was dropped in the meantime. */
export function withMissed(log: MessageLog, page: Page): MessageLog {
  if (!log.isLoaded) return log;
  return withReceived({ ...log, revision: coveredRevision(log, page) }, page.data);
}

export function withPageAround(log: MessageLog, page: Page, anchor: number): MessageLog {
  const first = page.data[0]?.seq ?? 1;
  return startWindow(log, page, { hasOlder: first > 1, hasNewer: page.hasMore, anchor });
}

function startWindow(
  log: MessageLog,
  page: Page,
  edges: Pick<MessageLog, 'hasOlder' | 'hasNewer' | 'anchor'>,
): MessageLog {
  const end = page.data.at(-1)?.seq ?? 0;
  // An edit can arrive before a page that was read earlier.
  const knownMessages = new Map([...log.messages, ...log.ahead].map((message) => [message.seq, message]));
  const newLog = {
    ...log,
    ...edges,
    messages: page.data.map((message) => newer(message, knownMessages.get(message.seq))),
    ahead: edges.hasNewer ? [] : log.ahead.filter(({ seq }) => seq > end),
    lastKnownSeq: highest(log.lastKnownSeq, page.data),
    revision: page.revision,
    windowNumber: log.windowNumber + 1,
    isLoaded: true,
  };
  return appendConsecutive(newLog);
}

/**
 * Returns the revision that the log covers after adding a page. Changes announced while the page was loading are not in
 * it and were skipped, because their messages were unknown. An empty page says nothing about earlier changes.
 */
function coveredRevision({ revision }: MessageLog, page: Page): number | null {
  return revision === null || page.data.length === 0 ? revision : Math.min(revision, page.revision);
}

/** Prepends a page, unless it belongs to a different window. */
export function withOlder(log: MessageLog, page: Page): MessageLog {
  const first = log.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  const older = page.data.filter(({ seq }) => seq < first);
  if (older.length > 0 && older.at(-1)?.seq !== first - 1) return log;
  return {
    ...log,
    messages: [...older, ...log.messages],
    hasOlder: page.hasMore,
    revision: coveredRevision(log, page),
  };
}

/** Appends a page. Messages sent since it was read are still missing. */
export function withNewer(log: MessageLog, page: Page): MessageLog {
  const later = page.data.filter(({ seq }) => seq > lastSeq(log));
  if (!log.hasNewer || (later.length > 0 && later[0]?.seq !== lastSeq(log) + 1)) return log;
  const messages = [...log.messages, ...later];
  const end = messages.at(-1)?.seq ?? 0;
  const revision = coveredRevision(log, page);
  return appendConsecutive({ ...log, messages, hasNewer: page.hasMore || log.lastKnownSeq > end, revision });
}

/** For a log too far behind to load everything in between: the messages up to `end` are loaded by scrolling. */
export function withUnloadedEnd(log: MessageLog, end: number): MessageLog {
  return { ...log, ahead: [], hasNewer: true, lastKnownSeq: Math.max(log.lastKnownSeq, end) };
}

export function trimmedToWindow(log: MessageLog, visibleSeq: number, maxMessages = MAX_MESSAGES): MessageLog {
  const { messages } = log;
  if (messages.length <= maxMessages * 1.05) return log;
  const isNearEnd = visibleSeq >= (messages[Math.floor(messages.length / 2)]?.seq ?? 0);
  if (isNearEnd) return trimmed(log, maxMessages);
  return { ...log, messages: messages.slice(0, maxMessages), ahead: [], hasNewer: true };
}

export function trimmed(log: MessageLog, maxMessages: number): MessageLog {
  if (log.messages.length <= maxMessages) return log;
  return { ...log, messages: log.messages.slice(-maxMessages), hasOlder: true };
}
