/** Chance that comes out the same at every run, so that two seeded workspaces of one size are alike. */
export interface Chance {
  /** From 0 up to, and without, `below`. */
  whole(below: number): number;
  /** One of them; with a `skew` above 1 the first ones much more often than the last. */
  one<T>(things: readonly T[], skew?: number): T;
  /** Whether something happens that does so in that share (0 to 1) of all cases. */
  happens(share: number): boolean;
}

/** Mulberry32, by Tommy Ettinger (public domain). */
export const createSeededRandom = (seed: number): Chance => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    whole: (below) => Math.floor(next() * below),
    happens: (share) => next() < share,
    one: (things, skew = 1) => {
      const thing = things[Math.floor(next() ** skew * things.length)];
      if (thing === undefined) throw new Error('there is nothing to choose from');
      return thing;
    },
  };
};

let made = 0;

/** An id of its own: the moment, then a number. */
export const madeId = (): string => {
  made += 1;
  return Date.now().toString(16).padStart(14, '0').slice(-14) + made.toString(16).padStart(10, '0');
};
