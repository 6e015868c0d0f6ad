import { describe, expect, it } from '@jest/globals';
import { createAttempts } from './attempts.ts';

describe('the attempts at an event', () => {
  it('are counted from the first delivery to this process, without deliveries that were none', () => {
    const attempts = createAttempts();
    expect([1, 2, 3].map((delivery) => attempts.of(7, delivery))).toEqual([1, 2, 3]);
    expect(attempts.of(8, 5)).toBe(1);
    attempts.discount(8);
    attempts.discount(8);
    expect(attempts.of(8, 8)).toBe(2);
    attempts.discount(9);
    expect(attempts.of(9, 4)).toBe(1);
  });

  it('begin anew for one that was settled, and are kept for a thousand events at most', () => {
    const attempts = createAttempts();
    attempts.of(1, 1);
    attempts.forget(1);
    expect(attempts.of(1, 6)).toBe(1);
    for (let seq = 2; seq <= 1_001; seq += 1) attempts.of(seq, 1);
    expect(attempts.of(1, 9)).toBe(1);
    expect(attempts.of(1_001, 3)).toBe(3);
  });
});
