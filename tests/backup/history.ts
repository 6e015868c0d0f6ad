import type { Acknowledged, Ledger } from '../simulation/acknowledged-writes.ts';
import { trackAcknowledgedWrites } from '../simulation/acknowledged-writes.ts';

/** A ledger that forgets nothing: what had been acknowledged at any moment of the past. Moments are milliseconds since 1970. */
export type History = Ledger & {
  /** What must be there of that moment: everything as it was last acknowledged before it. */
  upTo(moment: number): Ledger;
  /** The same, with whatever was acknowledged next of each: it may have been done by then, with the answer still under way. */
  oneFurther(moment: number): Ledger;
  /** What was begun after that moment, so that nothing of it may be there. */
  begunAfter(moment: number): Ledger;
};

type Entry = Omit<Acknowledged, 'at'> & { moment: number };

export function openHistory(): History {
  const ledger = trackAcknowledgedWrites();
  const entries: Entry[] = [];
  const doubted = new Map<string, Set<string>>();
  /** The longest that any call has taken, with its repeats: what was acknowledged later than that was begun later. */
  const longest = () => Math.max(0, ...ledger.since(0).map(({ ms }) => ms));
  const ledgerOf = (some: readonly Entry[]): Ledger => {
    const made = trackAcknowledgedWrites();
    for (const { moment: _, ...thing } of some) made.acknowledge(thing);
    for (const [path, fields] of doubted) made.doubt(path, [...fields]);
    return made;
  };
  const before = (moment: number) => entries.filter((entry) => entry.moment <= moment);
  return {
    ...ledger,
    acknowledge(thing) {
      entries.push({ ...thing, moment: Date.now() });
      ledger.acknowledge(thing);
    },
    doubt(path, fields) {
      doubted.set(path, new Set([...(doubted.get(path) ?? []), ...fields]));
      ledger.doubt(path, fields);
    },
    upTo: (moment) => ledgerOf(before(moment)),
    oneFurther(moment) {
      const known = new Set(before(moment).map(({ path }) => path));
      const next = new Map<string, Entry>();
      for (const entry of entries)
        if (entry.moment > moment && known.has(entry.path) && !next.has(entry.path)) next.set(entry.path, entry);
      return ledgerOf([...before(moment), ...next.values()]);
    },
    begunAfter(moment) {
      const from = moment + longest();
      const known = new Set(before(from).map(({ path }) => path));
      return ledgerOf(entries.filter((entry) => entry.moment > from && !known.has(entry.path)));
    },
  };
}
