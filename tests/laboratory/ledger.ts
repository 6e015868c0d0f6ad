import type { Heard } from './caller.ts';

/** Something that the product has acknowledged: where it is read again, and what must stand there. */
export type Acknowledged = { kind: string; path: string; who: string; fields: Record<string, unknown> };

export type Sample = { call: string; status: number; ms: number; at: number; body?: unknown };

/** Remembers what was acknowledged, and how every call ended. */
export type Ledger = {
  note(call: string, heard: Heard): void;
  /** The latest acknowledgement about a thing takes the place of the one before. */
  acknowledge(thing: Acknowledged): void;
  acknowledged(): Acknowledged[];
  /** Calls since that moment, by `performance.now()`. */
  since(moment: number): Sample[];
};

export function openLedger(): Ledger {
  const things = new Map<string, Acknowledged>();
  const samples: Sample[] = [];
  return {
    note: (name, { status, ms, body }) =>
      void samples.push({ call: name, status, ms, at: performance.now(), ...(isFault(status) && { body }) }),
    acknowledge(thing) {
      const known = things.get(thing.path);
      things.set(thing.path, { ...thing, fields: { ...known?.fields, ...thing.fields } });
    },
    acknowledged: () => [...things.values()],
    since: (moment) => samples.filter(({ at }) => at >= moment),
  };
}

/** Nobody who asks for something right may hear of the roll-out. */
export const isFault = (status: number): boolean => status === 0 || status >= 500;
