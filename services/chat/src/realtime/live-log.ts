import type { PastChange } from '@atrium/proto-events/realtime';
import type { StreamPlace } from '@atrium/service-kit/messaging/follow-events';
import { type Told, toldRooms } from './fanout.ts';
import { latestOf, nameOf } from './live-changes.ts';

/** How long what was told is kept for those who come back, in milliseconds. */
export const KEPT_MS = 60 * 60_000;
/** The same as a bound of memory: of so many rooms, which are what an entry costs. */
const MOST_ROOMS = 300_000;

type Entry = { producer: string; seq: number; heardAt: number; rooms: readonly string[]; told: Told };
/** Of one producer's stream: since where all of it is known here, and up to where. */
type Known = { madeAt: string; from: number; to: number };

/**
 * What was told in the last hour, the same on every pod, since each reads the same streams. A position says for each of them up to where;
 * a sequence is given when an event is published, and events are published in the order of their commits.
 */
export type LiveLog = {
  /** What comes of a producer stands behind this place; whatever was kept of another stream goes. */
  begin(producer: string, place: StreamPlace): void;
  /** `agoMs`: how long ago it was told, at least. */
  add(producer: string, place: StreamPlace, told: Told, agoMs?: number): void;
  /** Nothing up to there is left to come. */
  reach(producer: string, place: StreamPlace): void;
  isComplete(): boolean;
  position(): string;
  /**
   * What was told in these rooms after a position, of each thing the latest; null where that is too long ago, of another NATS or no
   * position at all.
   */
  since(position: string, rooms: ReadonlySet<string>): PastChange[] | null;
  /** The same of what was heard in the last so many milliseconds, for whoever has no position yet; null where not all of it is known. */
  ofLast(ms: number, rooms: ReadonlySet<string>): PastChange[] | null;
};

/** An empty one; `producers` in the order in which a position names them, to which later releases only add. */
export function createLiveLog(producers: readonly string[], now = () => performance.now()): LiveLog {
  const known = new Map<string, Known>();
  const caughtUp = new Set<string>();
  /** Of what is kept of each. */
  const lastSeqs = new Map<string, number>();
  let entries: Entry[] = [];
  let roomsKept = 0;
  /** Since when nothing that was heard has been forgotten. */
  let wholeSince = Number.NEGATIVE_INFINITY;

  const forget = (gone: readonly Entry[]) => {
    for (const { producer, seq, rooms, heardAt } of gone) {
      roomsKept -= rooms.length;
      wholeSince = Math.max(wholeSince, heardAt);
      const of = known.get(producer);
      if (of) of.from = Math.max(of.from, seq);
    }
  };
  const trim = () => {
    let old = 0;
    let over = roomsKept - MOST_ROOMS;
    for (const { heardAt, rooms } of entries) {
      if (heardAt > now() - KEPT_MS && over <= 0) break;
      over -= rooms.length;
      old += 1;
    }
    // All at once, now and then: taking one from the front moves all others.
    if (old > entries.length / 8 || over > 0) forget(entries.splice(0, old));
  };
  const isComplete = () => producers.every((producer) => caughtUp.has(producer));
  const inRooms = (some: readonly Entry[], rooms: ReadonlySet<string>): PastChange[] => {
    const told = some.filter((entry) => entry.rooms.some((room) => rooms.has(room)));
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
      const rooms = toldRooms(told);
      entries.push({ producer, seq, heardAt: now() - agoMs, rooms, told });
      roomsKept += rooms.length;
      trim();
    },
    reach(producer, { seq }) {
      const of = known.get(producer);
      if (of) of.to = Math.max(of.to, seq);
      caughtUp.add(producer);
    },
    isComplete,
    position: () => producers.map((producer) => written(known.get(producer))).join(),
    since(position, rooms) {
      const places = readPosition(producers, position);
      const starts = new Map(producers.map((producer) => [producer, after(producer, places)]));
      if ([...starts.values()].includes(null)) return null;
      return inRooms(newest(new Map([...starts].map(([producer, start]) => [producer, start ?? 0]))), rooms);
    },
    ofLast(ms, rooms) {
      const start = now() - ms;
      if (!isComplete() || ms > KEPT_MS || start <= wholeSince) return null;
      return inRooms(
        entries.filter(({ heardAt }) => heardAt >= start),
        rooms,
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
