import { describe, expect, it } from '@jest/globals';
import { createTokenBucket } from './event-rate-limits.ts';

describe('a token bucket', () => {
  it('allows a burst of a tenth of a minute’s tokens, and then refills over time', () => {
    let now = 0;
    const take = createTokenBucket(600, () => now);
    const countAllowed = (attempts: number) => Array.from({ length: attempts }, take).filter(Boolean).length;
    expect(countAllowed(100)).toBe(60);
    now += 1_000;
    expect(countAllowed(100)).toBe(10);
    now += 60 * 60_000;
    expect(countAllowed(100)).toBe(60);
  });
});
