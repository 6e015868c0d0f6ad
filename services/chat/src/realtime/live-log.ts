import type { PastChange } from '@atrium/proto-events/realtime';
import type { StreamPlace } from '@atrium/service-kit/messaging/follow-events';
import type { Audience } from './audience.ts';
import { createKeptAudiences } from './kept-audiences.ts';
import { latestOf, nameOf } from './live-changes.ts';
import type { Told } from './told/told.ts';

/** How long what was told is kept for those who come back, in milliseconds. */
export const KEPT_MS = 60 * 60_000;
/** The same as a bound of memory, by what is kept of each change and once of all people whom some of them are for. */
const MOST_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 640;

/** What was told, with the people whom it was for as one text. */
export type KeptTold = Pick<Told, 'topics' | 'changes'> & { audience: Audience<string> };
type IsFor = (told: KeptTold) => boolean;
type Entry = { producer: string; seq: number; heardAt: number; told: KeptTold };
/** Of one producer's stream: since where all of it is known here, and up to where. */
type Known = { madeAt: string; from: number; to: number };

/**
 * What was told in the last hour, the same on every pod, since each reads the same streams. A position says for each of them up to where;
 * a sequence is given when an event is published, and events are published in the order of their commits.
 */
export type LiveLog = {
  /** What comes of a producer stands behind this place; whatever was kept of another stream goes. */
  begin(producer: string, place: StreamPlace): void;
  /** All that one event told. `agoMs`: how long ago it was told, at least. */
  add(producer: string, place: StreamPlace, told: readonly Told[], agoMs?: number): void;
  /** Nothing up to there is left to come. */
  reach(producer: string, place: StreamPlace): void;
  isComplete(): boolean;
  /** Resolves once it is, or after so many milliseconds. */
  whenComplete(mostMs: number): Promise<void>;
  position(): string;
  /**
   * What was told after a position to whom this says, of each thing the latest; null where that is too long ago, of another NATS or no
   * position at all.
   */
  since(position: string, isFor: IsFor): PastChange[] | null;
  /** The same of what was heard in the last so many milliseconds, for whoever has no position yet; null where not all of it is known. */
  ofLast(ms: number, isFor: IsFor): PastChange[] | null;
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
export function createLiveLog(producers: readonly string[], now = () => performance.now()): LiveLog {
  const known = new Map<string, Known>();
  const catchUp = createCatchUp(producers);
  /** Of what is kept of each. */
  const lastSeqs = new Map<string, number>();
  let entries: Entry[] = [];
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
  };
  const trim = () => {
    const fresh = entries.findIndex(({ heardAt }) => heardAt > now() - KEPT_MS);
    const old = fresh < 0 ? entries.length : fresh;
    // Many at once, now and then: taking one from the front moves all others.
    if (old > entries.length / 8) forget(entries.splice(0, old));
    while (isFull() && entries.length > 0) forget(entries.splice(0, Math.ceil(entries.length / 8)));
  };
  const toldOf = (some: readonly Entry[], isFor: IsFor): PastChange[] => {
    const told = some.filter((entry) => isFor(entry.told));
    const heardAt = new Map(
      told.flatMap((entry) => entry.told.changes.map((change) => [nameOf(change), entry.heardAt])),
    );
    return latestOf(told.flatMap((entry) => entry.told.changes)).map((change) => ({
      ...change,
      agoMs: Math.max(0, now() - (heardAt.get(nameOf(change)) ?? 0)),
    }));
  };
  const after = (producer: string, position: ReadonlyMap<string, StreamPlace>): number | null => {
    const [here, place] = [known.get(producer), position.get(producer)];
    if (!here || !place || place.madeAt !== stamp(here.madeAt) || place.seq < here.from) return null;
    return place.seq;
  };
  /** What came after these, from the end of all back to where nothing of it is left: who comes back was here a moment ago. */
  const newest = (starts: ReadonlyMap<string, number>): Entry[] => {
    const isAfter = ({ producer, seq }: Pick<Entry, 'producer' | 'seq'>) => seq > (starts.get(producer) ?? 0);
    const open = new Set([...lastSeqs].flatMap(([producer, seq]) => (isAfter({ producer, seq }) ? [producer] : [])));
    const found: Entry[] = [];
    for (let at = entries.length - 1; at >= 0 && open.size > 0; at -= 1) {
      const entry = entries[at];
      if (!entry) break;
      if (isAfter(entry)) found.push(entry);
      else open.delete(entry.producer);
    }
    return found.reverse();
  };
  return {
    begin(producer, { madeAt, seq }) {
      const gone = entries.filter((entry) => entry.producer === producer);
      if (gone.length > 0) entries = entries.filter((entry) => entry.producer !== producer);
      forget(gone);
      lastSeqs.delete(producer);
      known.set(producer, { madeAt, from: seq, to: seq });
    },
    add(producer, { seq }, told, agoMs = 0) {
      const of = known.get(producer);
      if (!of || seq <= of.to) return;
      of.to = seq;
      lastSeqs.set(producer, seq);
      for (const { topics, audience, changes } of told) {
        const kept = { topics, audience: audiences.keep(audience), changes };
        entries.push({ producer, seq, heardAt: now() - agoMs, told: kept });
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
      return toldOf(newest(new Map([...starts].map(([producer, start]) => [producer, start ?? 0]))), isFor);
    },
    ofLast(ms, isFor) {
      const start = now() - ms;
      if (!catchUp.isComplete() || ms > KEPT_MS || start <= wholeSince) return null;
      return toldOf(
        entries.filter(({ heardAt }) => heardAt >= start),
        isFor,
      );
    },
  };
}

const BASE = 36;
const written = (of: Known | undefined) => (of ? `${stamp(of.madeAt)}.${of.to.toString(BASE)}` : '');
const stamp = (madeAt: string) => Date.parse(madeAt).toString(BASE);

function readPosition(producers: readonly string[], position: string): Map<string, StreamPlace> {
  const parts = position.split(',');
  return new Map(
    producers.flatMap((producer, index) => {
      const [, madeAt, seq] = /^([0-9a-z]+)\.([0-9a-z]+)$/.exec(parts[index] ?? '') ?? [];
      return madeAt && seq ? [[producer, { madeAt, seq: Number.parseInt(seq, BASE) }] as const] : [];
    }),
  );
}
