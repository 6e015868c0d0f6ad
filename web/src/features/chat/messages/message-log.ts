import type { Message } from '@atrium/proto-events/http/chat-messages';

/** A message on its way: shown at the end until the server's own takes its place. */
export type Pending = { clientMessageId: string; content: string; createdAt: string };

/**
 * What is known of one conversation's messages. The server counts them up by one and never reuses a number, so order, gaps and
 * repeats are all told by `seq`, whichever way a message came: page, socket, catch-up or the answer to sending.
 */
export type MessageLog = {
  /** Oldest first, without a hole between them. */
  messages: readonly Message[];
  /** Came before what belongs in front of them; shown once the gap is filled. */
  ahead: readonly Message[];
  pending: readonly Pending[];
  /** Whether there is more before the first. */
  hasOlder: boolean;
  isLoaded: boolean;
};

export const EMPTY_LOG: MessageLog = { messages: [], ahead: [], pending: [], hasOlder: false, isLoaded: false };

/** The last seq that is known without a hole: what to ask for what came after. */
export const lastSeq = ({ messages }: MessageLog): number => messages.at(-1)?.seq ?? 0;

/** Something is known of later messages than the next. */
export const hasGap = ({ ahead, isLoaded }: MessageLog): boolean => isLoaded && ahead.length > 0;

/** Takes the newest page. One that leaves a hole after what is known starts the log anew. */
export function withNewest(log: MessageLog, page: readonly Message[], hasOlder: boolean): MessageLog {
  const first = page[0];
  const joins = log.isLoaded && (first === undefined || first.seq <= lastSeq(log) + 1);
  if (joins) return withReceived(log, page);
  const ahead = log.ahead.filter(({ seq }) => seq > (page.at(-1)?.seq ?? 0));
  // An edit can overtake the page that was read before it.
  const heard = new Map(log.ahead.map((message) => [message.seq, message]));
  const messages = page.map((message) => newer(message, heard.get(message.seq)));
  return settle({ ...log, messages, ahead, hasOlder, isLoaded: true }, page);
}

/** Puts a page before the first. */
export function withOlder(log: MessageLog, page: readonly Message[], hasOlder: boolean): MessageLog {
  const first = log.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  return { ...log, messages: [...page.filter(({ seq }) => seq < first), ...log.messages], hasOlder };
}

/** Takes new and changed messages in any order, any number of times. */
export function withReceived(log: MessageLog, received: readonly Message[]): MessageLog {
  if (received.length === 0) return log;
  const first = log.messages[0]?.seq ?? lastSeq(log) + 1;
  const incoming = [...received].filter(({ seq }) => !log.isLoaded || seq >= first);
  const later = incoming.filter(({ seq }) => !log.isLoaded || seq > lastSeq(log));
  const changed = new Map(incoming.filter((message) => !later.includes(message)).map((one) => [one.seq, one]));
  const messages =
    changed.size === 0 ? log.messages : log.messages.map((known) => newer(known, changed.get(known.seq)));
  return settle({ ...log, messages, ahead: [...log.ahead, ...later] }, received);
}

export function withPending(log: MessageLog, pending: Pending): MessageLog {
  const others = log.pending.filter(({ clientMessageId }) => clientMessageId !== pending.clientMessageId);
  return { ...log, pending: [...others, pending] };
}

export function withoutPending(log: MessageLog, clientMessageId: string): MessageLog {
  return { ...log, pending: log.pending.filter((one) => one.clientMessageId !== clientMessageId) };
}

/** Leaves a deleted message's place and takes its content. */
export function withDeleted(log: MessageLog, seq: number): MessageLog {
  const empty = (message: Message) => (message.seq === seq ? { ...message, content: '', deleted: true } : message);
  return { ...log, messages: log.messages.map(empty), ahead: log.ahead.map(empty) };
}

/** Keeps only the newest, for a conversation that nobody looks at. */
export function trimmed(log: MessageLog, keep: number): MessageLog {
  if (log.messages.length <= keep) return log;
  return { ...log, messages: log.messages.slice(-keep), hasOlder: true };
}

/** Moves what is next in line from `ahead` to the messages, and lets go of what was pending and has arrived. */
function settle(log: MessageLog, arrived: readonly Message[]): MessageLog {
  const ids = new Set(arrived.map(({ clientMessageId }) => clientMessageId));
  const pending = log.pending.filter(({ clientMessageId }) => !ids.has(clientMessageId));
  const base = pending.length === log.pending.length ? log : { ...log, pending };
  if (!log.isLoaded || log.ahead.length === 0) return base;
  const waiting = new Map<number, Message>();
  for (const message of log.ahead) waiting.set(message.seq, newer(message, waiting.get(message.seq)));
  const messages = [...log.messages];
  for (let next = waiting.get(lastSeq(log) + 1); next; next = waiting.get(next.seq + 1)) {
    messages.push(next);
    waiting.delete(next.seq);
  }
  const end = messages.at(-1)?.seq ?? 0;
  return { ...base, messages, ahead: [...waiting.values()].filter(({ seq }) => seq > end) };
}

/** Of two versions of a message the later one; what is deleted stays so. */
function newer(known: Message, other: Message | undefined): Message {
  if (!other || (known.deleted && !other.deleted)) return known;
  return other.deleted || other.updatedAt >= known.updatedAt ? other : known;
}
