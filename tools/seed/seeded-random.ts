import { createSeededRandom as createMulberry32 } from '@atrium/test-kit/seeded-random';

/** A deterministic random generator, so that seeded workspaces of the same size are equal. */
export interface SeededRandom {
  /** Returns an integer from 0 to `limit - 1`. */
  integerBelow(limit: number): number;
  /** Returns an item of the list. With a `skew` above 1, the first items are more likely. */
  pick<T>(items: readonly T[], skew?: number): T;
  /** Returns true with the given probability (0 to 1). */
  nextBoolean(probability: number): boolean;
}

export const createSeededRandom = (seed: number): SeededRandom => {
  const next = createMulberry32(seed);
  return {
    integerBelow: (limit) => Math.floor(next() * limit),
    nextBoolean: (probability) => next() < probability,
    pick: (items, skew = 1) => {
      const item = items[Math.floor(next() ** skew * items.length)];
      if (item === undefined) throw new Error('Cannot choose from an empty list');
      return item;
    },
  };
};

let idCount = 0;

/** Creates an id from a timestamp and a counter. */
export const createSeededId = (): string => {
  idCount += 1;
  return Date.now().toString(16).padStart(14, '0').slice(-14) + idCount.toString(16).padStart(10, '0');
};
