import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import type { ReplayedChange } from '@atrium/proto-events/realtime';
import type { StreamPosition } from '@atrium/service-kit/messaging/follow-events';
import { createAudienceCache } from './audience-cache.ts';
import { mergeChanges, resourceKey } from './change-batcher.ts';

export const REPLAY_WINDOW_MS = 60 * 60_000;
/** Estimated memory: a constant per entry, and each distinct list of users once. */
const MAX_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 640;
/** Beyond this, a full refetch costs less than the scan, for the client and for the others on this pod. */
export const MAX_REPLAYED_CHANGES = 10_000;

/** Its users are the joined ids, as in the audience cache. */
export type BufferedUpdate = LiveUpdate<string>;
type IsRecipient = (update: BufferedUpdate) => boolean;
/** `seq` is that of the stream; `order` is that of arrival across producers. */
type Entry = { producer: string; seq: number; order: number; receivedAt: number; update: BufferedUpdate };
type StreamRange = { streamCreatedAt: string; from: number; to: number };

/**
 * Keeps the live updates of the last hour, for browsers that reconnect. Positions are the same on every pod, because the
 * streams assign the sequences.
 */
export type ReplayBuffer = {
  /** Drops the producer's entries of a previous stream. */
  begin(producer: string, position: StreamPosition): void;
  /** Adds the updates of an event that is at least `ageMs` old. */
  add(producer: string, position: StreamPosition, updates: readonly LiveUpdate[], ageMs?: number): void;
  /** Moves the position past events without updates. */
  advance(producer: string, position: StreamPosition): void;
  isComplete(): boolean;
  whenComplete(timeoutMs: number): Promise<void>;
  position(): string;
  /** Returns null if the position is invalid, of a different stream, too old, or followed by too many updates. */
  changesSince(position: string, isRecipient: IsRecipient): ReplayedChange[] | null;
  /** Returns null if the buffer does not cover this time or has too many updates. */
  changesWithin(ms: number, isRecipient: IsRecipient): ReplayedChange[] | null;
};

function createCatchUp(producers: readonly string[]) {
  const caughtUp = new Set<string>();
  const { promise: completed, resolve: complete } = Promise.withResolvers<void>();
  const isComplete = () => producers.every((producer) => caughtUp.has(producer));
  return {
    isComplete,
    markCaughtUp(producer: string): void {
      caughtUp.add(producer);
      if (isComplete()) complete();
    },
    async whenComplete(timeoutMs: number): Promise<void> {
      if (isComplete()) return;
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeoutMs);
      await Promise.race([completed, timeout]);
      clearTimeout(timer);
    },
  };
}

/** A position lists its parts in the order of `producers`, so later releases may only append to it. */
export function createReplayBuffer(producers: readonly string[], now = () => performance.now()): ReplayBuffer {
  const ranges = new Map<string, StreamRange>();
  const catchUp = createCatchUp(producers);
  let entries: Entry[] = [];
  const byProducer = new Map<string, Entry[]>();
  let order = 0;
  const audiences = createAudienceCache();
  const isFull = () => entries.length * ENTRY_BYTES + audiences.bytes() > MAX_BYTES;
  /** When the latest evicted entry was received. */
  let completeSince = Number.NEGATIVE_INFINITY;

  const evict = (evictedEntries: readonly Entry[]) => {
    for (const { producer, seq, update, receivedAt } of evictedEntries) {
      audiences.release(update.audience);
      completeSince = Math.max(completeSince, receivedAt);
      const range = ranges.get(producer);
      if (range) range.from = Math.max(range.from, seq);
    }
    for (const [producer, producerEntries] of Map.groupBy(evictedEntries, (entry) => entry.producer))
      byProducer.get(producer)?.splice(0, producerEntries.length);
  };
  const trim = () => {
    const firstFreshIndex = entries.findIndex(({ receivedAt }) => receivedAt > now() - REPLAY_WINDOW_MS);
    const expiredCount = firstFreshIndex < 0 ? entries.length : firstFreshIndex;
    // Evicts in batches, because removing from the front moves all other entries.
    if (expiredCount > entries.length / 8) evict(entries.splice(0, expiredCount));
    while (isFull() && entries.length > 0) evict(entries.splice(0, Math.ceil(entries.length / 8)));
  };
  const toReplayed = (candidates: readonly Entry[], isRecipient: IsRecipient): ReplayedChange[] => {
    const matching = candidates.filter(({ update }) => isRecipient(update));
    const receivedAt = new Map(
      matching.flatMap((entry) => entry.update.changes.map((change) => [resourceKey(change), entry.receivedAt])),
    );
    return mergeChanges(matching.flatMap(({ update }) => update.changes)).map((change) => ({
      ...change,
      ageMs: Math.max(0, now() - (receivedAt.get(resourceKey(change)) ?? 0)),
    }));
  };
  const findStartSeq = (producer: string, position: ReadonlyMap<string, StreamPosition | 'new'>): number | null => {
    const range = ranges.get(producer);
    const start = position.get(producer);
    if (range && start === 'new') return range.from;
    if (!range || !start || start === 'new') return null;
    return start.streamCreatedAt === encodeTime(range.streamCreatedAt) && start.seq >= range.from ? start.seq : null;
  };
  const listEntriesAfter = (starts: ReadonlyMap<string, number>): Entry[] | undefined => {
    const laterEntries = [...byProducer].map(([producer, producerEntries]) =>
      producerEntries.slice(findIndexAfter(producerEntries, starts.get(producer) ?? 0)),
    );
    if (laterEntries.reduce((sum, { length }) => sum + length, 0) > MAX_REPLAYED_CHANGES) return undefined;
    return laterEntries.flat().sort((a, b) => a.order - b.order);
  };
  return {
    begin(producer, { streamCreatedAt, seq }) {
      const droppedEntries = entries.filter((entry) => entry.producer === producer);
      if (droppedEntries.length > 0) entries = entries.filter((entry) => entry.producer !== producer);
      evict(droppedEntries);
      ranges.set(producer, { streamCreatedAt, from: seq, to: seq });
    },
    add(producer, { seq }, updates, ageMs = 0) {
      const range = ranges.get(producer);
      if (!range || seq <= range.to) return;
      range.to = seq;
      const producerEntries = byProducer.get(producer) ?? [];
      byProducer.set(producer, producerEntries);
      for (const { topics, audience, changes } of updates) {
        const update = { topics, audience: audiences.intern(audience), changes };
        const entry = { producer, seq, order: ++order, receivedAt: now() - ageMs, update };
        entries.push(entry);
        producerEntries.push(entry);
      }
      trim();
    },
    advance(producer, { seq }) {
      const range = ranges.get(producer);
      if (range) range.to = Math.max(range.to, seq);
      catchUp.markCaughtUp(producer);
    },
    isComplete: catchUp.isComplete,
    whenComplete: catchUp.whenComplete,
    position: () => producers.map((producer) => formatPosition(ranges.get(producer))).join(),
    changesSince(position, isRecipient) {
      const parsed = parsePosition(producers, position);
      const starts = new Map(producers.map((producer) => [producer, findStartSeq(producer, parsed)]));
      if ([...starts.values()].includes(null)) return null;
      const matchingEntries = listEntriesAfter(new Map([...starts].map(([producer, start]) => [producer, start ?? 0])));
      return matchingEntries ? toReplayed(matchingEntries, isRecipient) : null;
    },
    changesWithin(ms, isRecipient) {
      const start = now() - ms;
      if (!catchUp.isComplete() || ms > REPLAY_WINDOW_MS || start <= completeSince) return null;
      const matchingEntries = entries.filter(({ receivedAt }) => receivedAt >= start);
      return matchingEntries.length > MAX_REPLAYED_CHANGES ? null : toReplayed(matchingEntries, isRecipient);
    },
  };
}

/** Entries of a producer are in the order of their sequences. */
function findIndexAfter(sorted: readonly Entry[], seq: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle]?.seq ?? 0) > seq) to = middle;
    else from = middle + 1;
  }
  return from;
}

const BASE = 36;
const formatPosition = (range: StreamRange | undefined) =>
  range ? `${encodeTime(range.streamCreatedAt)}.${range.to.toString(BASE)}` : '';
const encodeTime = (streamCreatedAt: string) => Date.parse(streamCreatedAt).toString(BASE);

/** `new` marks a producer that a pod of an earlier release did not know: all of its buffered updates are replayed. */
function parsePosition(producers: readonly string[], position: string): Map<string, StreamPosition | 'new'> {
  const parts = position.split(',');
  return new Map(
    producers.flatMap((producer, index): [string, StreamPosition | 'new'][] => {
      if (index >= parts.length) return [[producer, 'new']];
      const [, streamCreatedAt, seq] = /^([0-9a-z]+)\.([0-9a-z]+)$/.exec(parts[index] ?? '') ?? [];
      return streamCreatedAt && seq ? [[producer, { streamCreatedAt, seq: Number.parseInt(seq, BASE) }]] : [];
    }),
  );
}
