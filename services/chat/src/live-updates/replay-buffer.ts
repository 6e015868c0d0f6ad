import { setTimeout as delay } from 'node:timers/promises';
import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import type { Change } from '@atrium/proto-events/realtime';
import type { StreamPosition } from '@atrium/service-kit/messaging/follow-events';
import { createLatch } from '@atrium/service-kit/process/latch';
import { type BufferedUpdate, createBufferedUpdates, type Entry } from './buffered-updates.ts';
import { mergeChanges, mergeKey } from './merge-changes.ts';

export const REPLAY_WINDOW_MS = 60 * 60_000;
/** If the buffer takes longer to become complete, clients have to request everything. */
const REPLAY_TIMEOUT_MS = 5_000;
/**
 * Beyond these, requesting everything costs less than the scan or the response. A longer response, with its users, could
 * also exceed what a slow connection may queue: the client would reconnect and receive the same again.
 */
export const MAX_SCANNED_CHANGES = 10_000;
export const MAX_REPLAY_LENGTH = 512 * 1024;

type IsRecipient = (update: BufferedUpdate) => boolean;
/** Everything after `from`, up to `to`, is buffered. */
type StreamRange = { streamCreatedAt: string; from: number; to: number };

/**
 * Keeps the live updates of the last hour, for clients that reconnect. Positions are the same on every pod, because the
 * streams assign the sequences.
 */
export type ReplayBuffer = {
  /** Drops the producer's updates of a previous stream. */
  begin(producer: string, position: StreamPosition): void;
  /** Adds the updates of an event that is at least `ageMs` old. */
  add(producer: string, position: StreamPosition, updates: readonly LiveUpdate[], ageMs?: number): void;
  /** Moves the position past events without updates. */
  advance(producer: string, position: StreamPosition): void;
  isComplete(): boolean;
  whenComplete(timeoutMs?: number): Promise<void>;
  position(): string;
  /** Returns null if the position is invalid, of a different stream, too old, or followed by too many updates. */
  changesSince(position: string, isRecipient: IsRecipient): Change[] | null;
  /** Returns null if the buffer does not cover this time or has too many updates. */
  changesWithin(ms: number, isRecipient: IsRecipient): Change[] | null;
};

/** A position lists its parts in the order of `producers`. */
export function createReplayBuffer(producers: readonly string[], now = () => performance.now()): ReplayBuffer {
  const ranges = new Map<string, StreamRange>();
  const caughtUp = new Set<string>();
  const complete = createLatch();
  /** When the latest evicted update was received. */
  let completeSince = Number.NEGATIVE_INFINITY;
  const updates = createBufferedUpdates(({ producer, seq, receivedAt }) => {
    completeSince = Math.max(completeSince, receivedAt);
    const range = ranges.get(producer);
    if (range) range.from = Math.max(range.from, seq);
  });
  const replay = (candidates: readonly Entry[], isRecipient: IsRecipient): Change[] | null => {
    if (candidates.length > MAX_SCANNED_CHANGES) return null;
    const matching = candidates.filter(({ update }) => isRecipient(update));
    const latest = matching.flatMap((entry) => (entry.isSuperseded ? (updates.findLatest(entry) ?? []) : []));
    const replayed = [...new Set([...matching, ...latest])].sort((a, b) => a.order - b.order);
    const lengths = new Map(replayed.map((entry) => [mergeKey(entry.update.change), toReplayedLength(entry)]));
    if ([...lengths.values()].reduce((sum, length) => sum + length, 0) > MAX_REPLAY_LENGTH) return null;
    return mergeChanges(replayed.map(toChange));
  };
  const toReplayedLength = (entry: Entry) =>
    entry.length + (entry.isSuperseded ? (updates.findLatest(entry)?.length ?? 0) : 0);
  /** Has the latest item instead of its own, which was dropped. */
  const toChange = (entry: Entry): Change => {
    const { change } = entry.update;
    const item = entry.isSuperseded && updates.findLatest(entry)?.update.change.item;
    return item ? { ...change, item } : change;
  };
  return {
    begin(producer, { streamCreatedAt, seq }) {
      updates.evictProducer(producer);
      ranges.set(producer, { streamCreatedAt, from: seq, to: seq });
    },
    add(producer, { seq }, eventUpdates, ageMs = 0) {
      const range = ranges.get(producer);
      if (!range || seq <= range.to) return;
      range.to = seq;
      updates.evictExpired(now() - REPLAY_WINDOW_MS);
      for (const update of eventUpdates) updates.add({ producer, seq, receivedAt: now() - ageMs }, update);
    },
    advance(producer, { seq }) {
      const range = ranges.get(producer);
      if (range) range.to = Math.max(range.to, seq);
      caughtUp.add(producer);
      if (producers.every((each) => caughtUp.has(each))) complete.open();
    },
    isComplete: complete.isOpen,
    async whenComplete(timeoutMs = REPLAY_TIMEOUT_MS) {
      if (!complete.isOpen()) await Promise.race([complete.opened, delay(timeoutMs, undefined, { ref: false })]);
    },
    position: () => producers.map((producer) => formatPosition(ranges.get(producer))).join(),
    changesSince(position, isRecipient) {
      const parts = position.split(',');
      const starts = producers.map((producer, index) => findStartSeq(parts[index], ranges.get(producer)));
      const candidates = producers.map((producer, index) => updates.listAfter(producer, starts[index] ?? 0));
      return starts.includes(null) ? null : replay(candidates.flat(), isRecipient);
    },
    changesWithin(ms, isRecipient) {
      const start = now() - ms;
      const isCovered = complete.isOpen() && ms <= REPLAY_WINDOW_MS && start > completeSince;
      return isCovered ? replay(updates.listSince(start), isRecipient) : null;
    },
  };
}

const BASE = 36;
const encodeTime = (streamCreatedAt: string) => Date.parse(streamCreatedAt).toString(BASE);
const formatPosition = (range: StreamRange | undefined) =>
  range ? `${encodeTime(range.streamCreatedAt)}.${range.to.toString(BASE)}` : '';

function findStartSeq(part = '', range: StreamRange | undefined): number | null {
  const [encodedTime, encodedSeq = ''] = part.split('.');
  if (!range || encodedTime !== encodeTime(range.streamCreatedAt)) return null;
  const seq = Number.parseInt(encodedSeq, BASE);
  return seq >= range.from ? seq : null;
}
