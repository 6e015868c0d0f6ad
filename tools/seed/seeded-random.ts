import { createSeededRandom as createMulberry32 } from '@atrium/test-kit/seeded-random';

/** A deterministic random generator, so that two seeded workspaces of one size are equal. */
export interface SeededRandom {
  whole(below: number): number;
  /** An item of the list; with a `skew` above 1, the first items are more likely. */
  one<T>(things: readonly T[], skew?: number): T;
  /** Returns true with the given probability (0 to 1). */
  happens(share: number): boolean;
}

export const createSeededRandom = (seed: number): SeededRandom => {
  const next = createMulberry32(seed);
  return {
    whole: (below) => Math.floor(next() * below),
    happens: (share) => next() < share,
    one: (things, skew = 1) => {
      const thing = things[Math.floor(next() ** skew * things.length)];
      if (thing === undefined) throw new Error('Cannot choose from an empty list');
      return thing;
    },
  };
};

let idCount = 0;

/** Timestamp and counter. */
export const createSeededId = (): string => {
  idCount += 1;
  return Date.now().toString(16).padStart(14, '0').slice(-14) + idCount.toString(16).padStart(10, '0');
};
