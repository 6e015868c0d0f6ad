import { describe, expect, it } from '@jest/globals';
import { reconnectDelay } from './reconnect-delay.ts';

describe('reconnectDelay', () => {
  it('doubles from one second for five attempts', () => {
    expect([0, 1, 2, 3, 4].map((attempts) => reconnectDelay(attempts, () => 0.5))).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000,
    ]);
  });

  it('has jitter', () => {
    expect([reconnectDelay(0, () => 0), reconnectDelay(0, () => 1)]).toEqual([750, 1_250]);
  });

  it('is about 30 seconds from the sixth attempt on', () => {
    expect(reconnectDelay(5, () => 0)).toBe(22_500);
    expect(reconnectDelay(500, () => 1)).toBe(37_500);
  });
});
