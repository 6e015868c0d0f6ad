import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { UserSummary } from '@atrium/proto-events/people';
import { emptied } from '../../../entities/conversation/conversation-reducers.ts';

/**
 * What is known of one conversation's messages: a window into them, most often at their end. The server counts them up by one and never
 * reuses a number, so order, gaps and repeats are all told by `seq`, whichever way a message came: page, socket, catch-up or the answer
 * to sending.
 */
export type MessageLog = {
  /** Oldest first, without a hole between them. */
  messages: readonly Message[];
  /** Came before what belongs in front of them; shown once the gap is filled. */
  ahead: readonly Message[];
  /** Whether there is more before the first. */
  hasOlder: boolean;
  /** Whether there is more after the last: what is said now is not put behind it, but read once somebody scrolls there. */
  hasNewer: boolean;
  /** The highest seq that was heard of, whether it is in the window or not. */
  heard: number;
  /** Every edit and deletion up to it is in these messages; null before the first page. */
  revision: number | null;
  /** The highest revision that was told of, whether the message that it changed was there or not. */
  announcedRevision: number;
  /** Counts up with each window that begins anew elsewhere, and the seq around which this one did; null at the end. */
  opening: number;
  anchor: number | null;
  isLoaded: boolean;
};

export const EMPTY_LOG: MessageLog = {
  messages: [],
  ahead: [],
  hasOlder: false,
  hasNewer: false,
  heard: 0,
  revision: null,
  announcedRevision: 0,
  opening: 0,
  anchor: null,
  isLoaded: false,
};

/** The last seq that is known without a hole: what to ask for what came after. */
export const lastSeq = ({ messages }: MessageLog): number => messages.at(-1)?.seq ?? 0;

/**
 * Whether something that was heard of should be at its end and is not: an event was lost, or the page that was read to get there is of
 * before it.
 */
export const isBehind = (log: MessageLog): boolean => log.isLoaded && !log.hasNewer && log.heard > lastSeq(log);

/** Notes that there is a message of this seq. */
export const withHeardOf = (log: MessageLog, seq: number): MessageLog =>
  seq > log.heard ? { ...log, heard: seq } : log;

/** Takes new and changed messages in any order, any number of times. */
export function withReceived(log: MessageLog, received: readonly Message[]): MessageLog {
  if (received.length === 0) return log;
  const first = log.messages[0]?.seq ?? lastSeq(log) + 1;
  const incoming = received.filter(({ seq }) => !log.isLoaded || seq >= first);
  const later = incoming.filter(({ seq }) => !log.isLoaded || seq > lastSeq(log));
  const changed = new Map(incoming.filter((message) => !later.includes(message)).map((one) => [one.seq, one]));
  const messages =
    changed.size === 0 ? log.messages : log.messages.map((known) => newer(known, changed.get(known.seq)));
  const ahead = log.hasNewer ? log.ahead : [...log.ahead, ...later];
  return settle({ ...log, messages, ahead, heard: highest(log.heard, received) });
}

/** Leaves a deleted message's place and takes its content. */
export function withDeleted(log: MessageLog, seq: number): MessageLog {
  const empty = (message: Message) => (message.seq === seq ? emptied(message) : message);
  return { ...log, messages: log.messages.map(empty), ahead: log.ahead.map(empty) };
}

/** Has these people stand under these names in what they wrote. */
export function withSenders(log: MessageLog, people: ReadonlyMap<string, UserSummary>): MessageLog {
  const renamed = (messages: readonly Message[]) =>
    messages.some(({ sender }) => people.has(sender._id))
      ? messages.map((message) => ({ ...message, sender: people.get(message.sender._id) ?? message.sender }))
      : messages;
  const [messages, ahead] = [renamed(log.messages), renamed(log.ahead)];
  return messages === log.messages && ahead === log.ahead ? log : { ...log, messages, ahead };
}

/** Notes that the change of this revision is in it; one that does not follow leaves it where it was, to be asked for from there. */
export function withRevision(log: MessageLog, revision: number | undefined): MessageLog {
  const updated = withToldOf(log, revision);
  const isNext = log.revision !== null && revision === log.revision + 1;
  return isNext ? { ...updated, revision } : updated;
}

/** Notes that there is a change of this revision. */
export const withToldOf = (log: MessageLog, revision = 0): MessageLog =>
  revision > log.announcedRevision ? { ...log, announcedRevision: revision } : log;

/** Changes that were told of are not in its messages, nor will they come by themselves: a page of before them has come since, or they were lost. */
export const hasMissedChanges = ({ revision, announcedRevision: told }: MessageLog): boolean =>
  revision !== null && told > revision;

export const highest = (seq: number, messages: readonly Message[]): number =>
  messages.reduce((most, message) => Math.max(most, message.seq), seq);

/** Moves what is next in line from `ahead` to the messages. */
export function settle(log: MessageLog): MessageLog {
  if (!log.isLoaded || log.ahead.length === 0) return log;
  const waiting = new Map<number, Message>();
  for (const message of log.ahead) waiting.set(message.seq, newer(message, waiting.get(message.seq)));
  const messages = [...log.messages];
  for (let next = waiting.get(lastSeq(log) + 1); next; next = waiting.get(next.seq + 1)) {
    messages.push(next);
    waiting.delete(next.seq);
  }
  const end = messages.at(-1)?.seq ?? 0;
  return { ...log, messages, ahead: [...waiting.values()].filter(({ seq }) => seq > end) };
}

/** Of two versions of a message the later one; what is deleted stays so. */
export function newer(known: Message, other: Message | undefined): Message {
  if (!other || (known.deleted && !other.deleted)) return known;
  return other.deleted || other.updatedAt >= known.updatedAt ? other : known;
}
