import type { ReplayedChange } from '@atrium/proto-events/realtime';
import type { StreamPosition } from '@atrium/service-kit/messaging/follow-events';
import type { Audience } from './audience.ts';
import { createKeptAudiences } from './audience-cache.ts';
import { latestOf, nameOf } from './change-batcher.ts';
import type { LiveUpdate } from './change-mappers/live-update.ts';

/** How long what was told is kept for those who come back, in milliseconds. */
export const REPLAY_WINDOW_MS = 60 * 60_000;
/** The same as a bound of memory, by what is kept of each change and once of all people whom some of them are for. */
const MOST_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 640;
/** Of more than this asking for everything anew costs less than looking through it, for who comes back and for whoever else is here. */
export const MOST_ANSWERED = 10_000;

/** What was told, with the people whom it was for as one text. */
export type KeptTold = Pick<LiveUpdate, 'topics' | 'changes'> & { audience: Audience<string> };
type IsFor = (told: KeptTold) => boolean;
type Entry = { producer: string; seq: number; order: number; heardAt: number; told: KeptTold };
/** Of one producer's stream: since where all of it is known here, and up to where. */
type Known = { streamCreatedAt: string; from: number; to: number };

/**
 * What was told in the last hour, the same on every pod, since each reads the same streams. A position says for each of them up to where;
 * a sequence is given when an event is published, and events are published in the order of their commits.
 */
export type ReplayBuffer = {
  /** What comes of a producer stands behind this place; whatever was kept of another stream goes. */
  begin(producer: string, place: StreamPosition): void;
  /** All that one event told. `ageMs`: how long ago it was told, at least. */
  add(producer: string, place: StreamPosition, told: readonly LiveUpdate[], ageMs?: number): void;
  /** Nothing up to there is left to come. */
  reach(producer: string, place: StreamPosition): void;
  isComplete(): boolean;
  /** Resolves once it is, or after so many milliseconds. */
  whenComplete(mostMs: number): Promise<void>;
  position(): string;
  /**
   * What was told after a position to whom this says, of each thing the latest; null where that is too long ago or too much has been told
   * since, of another NATS or no position at all.
   */
  since(position: string, isFor: IsFor): ReplayedChange[] | null;
  /** The same of what was heard in the last so many milliseconds, for whoever has no position yet; null where not all of it is known, or it is too much. */
  ofLast(ms: number, isFor: IsFor): ReplayedChange[] | null;
};

/** Which producers were read up to now once. */
function createCatchUp(producers: readonly string[]) {
  const caughtUp = new Set<string>();
  const { promise: completed, resolve: complete } = Promise.withResolvers<void>();
  const isComplete = () => producers.every((producer) => caughtUp.has(producer));
  return {
    isComplete,
    note(producer: string): void {
      caughtUp.add(producer);
      if (isComplete()) complete();
    },
    async whenComplete(mostMs: number): Promise<void> {
      if (isComplete()) return;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, mostMs);
      await Promise.race([completed, late]);
      clearTimeout(timer);
    },
  };
}

/** An empty one; `producers` in the order in which a position names them, to which later releases only add. */
export function createLiveLog(producers: readonly string[], now = () => performance.now()): ReplayBuffer {
  const known = new Map<string, Known>();
  const catchUp = createCatchUp(producers);
  let entries: Entry[] = [];
  /** The same by producer. */
  const ofProducer = new Map<string, Entry[]>();
  let order = 0;
  const audiences = createKeptAudiences();
  const isFull = () => entries.length * ENTRY_BYTES + audiences.bytes() > MOST_BYTES;
  /** Since when nothing that was heard has been forgotten. */
  let wholeSince = Number.NEGATIVE_INFINITY;

  const forget = (gone: readonly Entry[]) => {
    for (const { producer, seq, told, heardAt } of gone) {
      audiences.release(told.audience);
      wholeSince = Math.max(wholeSince, heardAt);
      const of = known.get(producer);
      if (of) of.from = Math.max(of.from, seq);
    }
    for (const [producer, some] of Map.groupBy(gone, (entry) => entry.producer))
      ofProducer.get(producer)?.splice(0, some.length);
  };
  const trim = () => {
    const fresh = entries.findIndex(({ heardAt }) => heardAt > now() - REPLAY_WINDOW_MS);
    const old = fresh < 0 ? entries.length : fresh;
    // Many at once, now and then: taking one from the front moves all others.
    if (old > entries.length / 8) forget(entries.splice(0, old));
    while (isFull() && entries.length > 0) forget(entries.splice(0, Math.ceil(entries.length / 8)));
  };
  const toldOf = (some: readonly Entry[], isFor: IsFor): ReplayedChange[] => {
    const told = some.filter((entry) => isFor(entry.told));
    const heardAt = new Map(
      told.flatMap((entry) => entry.told.changes.map((change) => [nameOf(change), entry.heardAt])),
    );
    return latestOf(told.flatMap((entry) => entry.told.changes)).map((change) => ({
      ...change,
      ageMs: Math.max(0, now() - (heardAt.get(nameOf(change)) ?? 0)),
    }));
  };
  const after = (producer: string, position: ReadonlyMap<string, StreamPosition | 'new'>): number | null => {
    const [here, place] = [known.get(producer), position.get(producer)];
    if (here && place === 'new') return here.from;
    if (!here || !place || place === 'new') return null;
    return place.streamCreatedAt === stamp(here.streamCreatedAt) && place.seq >= here.from ? place.seq : null;
  };
  /** What came after these, in the order in which it came; undefined where it is too much. */
  const newest = (starts: ReadonlyMap<string, number>): Entry[] | undefined => {
    const found = [...ofProducer].map(([producer, some]) => some.slice(firstAfter(some, starts.get(producer) ?? 0)));
    if (found.reduce((sum, some) => sum + some.length, 0) > MOST_ANSWERED) return undefined;
    return found.flat().sort((one, other) => one.order - other.order);
  };
  return {
    begin(producer, { streamCreatedAt, seq }) {
      const gone = entries.filter((entry) => entry.producer === producer);
      if (gone.length > 0) entries = entries.filter((entry) => entry.producer !== producer);
      forget(gone);
      known.set(producer, { streamCreatedAt, from: seq, to: seq });
    },
    add(producer, { seq }, told, ageMs = 0) {
      const of = known.get(producer);
      if (!of || seq <= of.to) return;
      of.to = seq;
      const some = ofProducer.get(producer) ?? [];
      ofProducer.set(producer, some);
      for (const { topics, audience, changes } of told) {
        const kept = { topics, audience: audiences.keep(audience), changes };
        const entry = { producer, seq, order: ++order, heardAt: now() - ageMs, told: kept };
        entries.push(entry);
        some.push(entry);
      }
      trim();
    },
    reach(producer, { seq }) {
      const of = known.get(producer);
      if (of) of.to = Math.max(of.to, seq);
      catchUp.note(producer);
    },
    isComplete: catchUp.isComplete,
    whenComplete: catchUp.whenComplete,
    position: () => producers.map((producer) => written(known.get(producer))).join(),
    since(position, isFor) {
      const places = readPosition(producers, position);
      const starts = new Map(producers.map((producer) => [producer, after(producer, places)]));
      if ([...starts.values()].includes(null)) return null;
      const found = newest(new Map([...starts].map(([producer, start]) => [producer, start ?? 0])));
      return found ? toldOf(found, isFor) : null;
    },
    ofLast(ms, isFor) {
      const start = now() - ms;
      if (!catchUp.isComplete() || ms > REPLAY_WINDOW_MS || start <= wholeSince) return null;
      const found = entries.filter(({ heardAt }) => heardAt >= start);
      return found.length > MOST_ANSWERED ? null : toldOf(found, isFor);
    },
  };
}

/** Where what comes after a sequence begins; a producer's entries are in the order of theirs. */
function firstAfter(some: readonly Entry[], seq: number): number {
  let [from, to] = [0, some.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((some[middle]?.seq ?? 0) > seq) to = middle;
    else from = middle + 1;
  }
  return from;
}

const BASE = 36;
const written = (of: Known | undefined) => (of ? `${stamp(of.streamCreatedAt)}.${of.to.toString(BASE)}` : '');
const stamp = (streamCreatedAt: string) => Date.parse(streamCreatedAt).toString(BASE);

/** Where a position is; `new` is a producer of which a pod that gave it, of a release before, heard nothing: all that is known of it is news. */
function readPosition(producers: readonly string[], position: string): Map<string, StreamPosition | 'new'> {
  const parts = position.split(',');
  return new Map(
    producers.flatMap((producer, index): [string, StreamPosition | 'new'][] => {
      if (index >= parts.length) return [[producer, 'new']];
      const [, streamCreatedAt, seq] = /^([0-9a-z]+)\.([0-9a-z]+)$/.exec(parts[index] ?? '') ?? [];
      return streamCreatedAt && seq ? [[producer, { streamCreatedAt, seq: Number.parseInt(seq, BASE) }]] : [];
    }),
  );
}
