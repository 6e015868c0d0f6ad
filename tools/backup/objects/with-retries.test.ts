import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createRetry } from './with-retries.ts';

const MINUTE_MS = 60_000;
const failing = (code: string) => Object.assign(new Error(`it says ${code}`), { code });

describe('createRetry', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const callDuringOutage = async (outageMs: number, error = failing('ECONNREFUSED')) => {
    const messages: string[] = [];
    const startedAt = Date.now();
    let attempts = 0;
    let outcome: string | undefined;
    const result = createRetry((line) => void messages.push(line))(async () => {
      attempts += 1;
      if (Date.now() - startedAt < outageMs) throw error;
      return 'the response';
    });
    void result.then(
      (value) => {
        outcome = value;
      },
      ({ message }: Error) => {
        outcome = message;
      },
    );
    await jest.advanceTimersByTimeAsync(20 * MINUTE_MS);
    return { outcome, attempts, messages };
  };

  it('retries until a store recovers after nine minutes, and prints one message', async () => {
    const { outcome, messages } = await callDuringOutage(9 * MINUTE_MS);
    expect(outcome).toBe('the response');
    expect(messages).toEqual([expect.stringContaining('it says ECONNREFUSED')]);
  });

  it('throws the error of a store that stays unavailable', async () => {
    expect((await callDuringOutage(19 * MINUTE_MS)).outcome).toBe('it says ECONNREFUSED');
  });

  it.each(['NoSuchKey', 'AccessDenied', 'ENOSPC', 'EFBIG', 'ENOENT'])(
    'does not retry after the permanent error %s',
    async (code) => {
      expect(await callDuringOutage(MINUTE_MS, failing(code))).toEqual({
        outcome: `it says ${code}`,
        attempts: 1,
        messages: [],
      });
    },
  );
});
