import type { AcknowledgedWrite, WriteTracker } from '../simulation/acknowledged-writes.ts';
import { trackAcknowledgedWrites } from '../simulation/acknowledged-writes.ts';

/** Acknowledged writes with their history. Times are milliseconds since 1970. */
export type WriteHistory = WriteTracker & {
  /** Writes that must exist at that time: everything as last acknowledged before it. */
  acknowledgedUntil(time: number): WriteTracker;
  /** The same, plus the next change of each item, which may have been committed by then without its response. */
  includingNextChange(time: number): WriteTracker;
  /** Writes that started after that time, so they must not exist. */
  startedAfter(time: number): WriteTracker;
};

type HistoryEntry = Omit<AcknowledgedWrite, 'at'> & { time: number };

export function createWriteHistory(): WriteHistory {
  const writes = trackAcknowledgedWrites();
  const entries: HistoryEntry[] = [];
  const uncertain = new Map<string, Set<string>>();
  /** Duration of the slowest call with its retries. A write acknowledged later than that also started later. */
  const longestCallMs = () => Math.max(0, ...writes.callsSince(0).map(({ ms }) => ms));
  const toTracker = (subset: readonly HistoryEntry[]): WriteTracker => {
    const tracker = trackAcknowledgedWrites();
    for (const { time: _, ...write } of subset) tracker.acknowledge(write);
    for (const [path, fields] of uncertain) tracker.markUncertain(path, [...fields]);
    return tracker;
  };
  const entriesUntil = (time: number) => entries.filter((entry) => entry.time <= time);
  return {
    ...writes,
    acknowledge(write) {
      entries.push({ ...write, time: Date.now() });
      writes.acknowledge(write);
    },
    markUncertain(path, fields) {
      uncertain.set(path, new Set([...(uncertain.get(path) ?? []), ...fields]));
      writes.markUncertain(path, fields);
    },
    acknowledgedUntil: (time) => toTracker(entriesUntil(time)),
    includingNextChange(time) {
      const existingPaths = new Set(entriesUntil(time).map(({ path }) => path));
      const next = new Map<string, HistoryEntry>();
      for (const entry of entries)
        if (entry.time > time && existingPaths.has(entry.path) && !next.has(entry.path)) next.set(entry.path, entry);
      return toTracker([...entriesUntil(time), ...next.values()]);
    },
    startedAfter(time) {
      const from = time + longestCallMs();
      const existingPaths = new Set(entriesUntil(from).map(({ path }) => path));
      return toTracker(entries.filter((entry) => entry.time > from && !existingPaths.has(entry.path)));
    },
  };
}
