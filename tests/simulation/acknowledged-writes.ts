import type { Heard } from './caller.ts';

/** A time from a moment to another, of `performance.now()`. */
export type Span = { from: number; to: number };

/** Something that the product has acknowledged: where it is read again, and what must stand there. */
export type Acknowledged = {
  kind: string;
  path: string;
  who: string;
  fields: Record<string, unknown>;
  /** When it was first asked for, where that is told. */
  asked?: number;
  at: number;
};

/** The id of what was acknowledged below the path of something else. */
export const idOf = ({ path }: Acknowledged): string => path.slice(path.indexOf('#') + 1);

export type Sample = {
  call: string;
  status: number;
  expected: number;
  ms: number;
  began: number;
  at: number;
  body?: unknown;
};

/** Remembers what was acknowledged, and how every call ended. Moments are those of `performance.now()`. */
export type Ledger = {
  note(call: string, heard: Heard, expected: number): void;
  /** The latest acknowledgement about a thing takes the place of the one before. */
  acknowledge(thing: Omit<Acknowledged, 'at'>): void;
  /** A change was asked for and nobody answered in the end: these fields may be as before or not. */
  doubt(path: string, fields: readonly string[]): void;
  /** What was acknowledged since then; everything, unless told. */
  acknowledged(since?: number): Acknowledged[];
  /** Calls that ended since that moment. */
  since(moment: number): Sample[];
};

export function trackAcknowledgedWrites(): Ledger {
  const things = new Map<string, Acknowledged>();
  const samples: Sample[] = [];
  return {
    note(name, { status, ms, body }, expected) {
      const at = performance.now();
      const isOdd = status !== expected;
      samples.push({ call: name, status, expected, ms, began: at - ms, at, ...(isOdd && { body }) });
    },
    acknowledge(thing) {
      const known = things.get(thing.path);
      things.set(thing.path, { ...thing, fields: { ...known?.fields, ...thing.fields }, at: performance.now() });
    },
    doubt(path, fields) {
      const known = things.get(path);
      if (!known) return;
      const sure = Object.entries(known.fields).filter(([name]) => !fields.includes(name));
      things.set(path, { ...known, fields: Object.fromEntries(sure) });
    },
    acknowledged: (since = 0) => [...things.values()].filter(({ at }) => at >= since),
    since(moment) {
      const first = samples.findLastIndex(({ at }) => at < moment) + 1;
      return samples.slice(first);
    },
  };
}

/** Nobody who asks for something right may hear of it when a pod comes or goes. */
export const isFault = (status: number): boolean => status === 0 || status >= 500;
