import { describe, expect, it } from '@jest/globals';
import { attemptDelay } from './mail-failure.ts';

const attempts = Array.from({ length: 30 }, (_, index) => index + 1);

describe('how long a mail waits for its next attempt', () => {
  it('is a few seconds at the most while somebody is away, so that it goes soon after they are back', () => {
    expect(attemptDelay('server-away', 1)).toBe(1_000);
    expect(Math.max(...attempts.map((attempt) => attemptDelay('server-away', attempt)))).toBe(5_000);
  });

  it('doubles up to an hour where the server has said so of this mail', () => {
    expect(attemptDelay('try-later', 1)).toBe(10_000);
    expect(attemptDelay('try-later', 2)).toBe(20_000);
    expect(Math.max(...attempts.map((attempt) => attemptDelay('try-later', attempt)))).toBe(3_600_000);
  });
});
