import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { withRetries } from './with-retries.ts';

const MINUTE_MS = 60_000;
const failing = (code: string) => Object.assign(new Error(`it says ${code}`), { code });

describe('withRetries', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const callDuringOutage = async (awayMs: number, error = failing('ECONNREFUSED')) => {
    const messages: string[] = [];
    const began = Date.now();
    let attempts = 0;
    let end: string | undefined;
    const asked = withRetries((line) => void messages.push(line))(async () => {
      attempts += 1;
      if (Date.now() - began < awayMs) throw error;
      return 'there';
    });
    void asked.then(
      (answer) => {
        end = answer;
      },
      ({ message }: Error) => {
        end = message;
      },
    );
    await jest.advanceTimersByTimeAsync(20 * MINUTE_MS);
    return { end, attempts, messages };
  };

  it('retries until a store recovers after nine minutes, and prints one message', async () => {
    const { end, messages } = await callDuringOutage(9 * MINUTE_MS);
    expect(end).toBe('there');
    expect(messages).toEqual([expect.stringContaining('it says ECONNREFUSED')]);
  });

  it('gives up when the store stays unavailable', async () => {
    expect((await callDuringOutage(19 * MINUTE_MS)).end).toBe('it says ECONNREFUSED');
  });

  it.each(['NoSuchKey', 'AccessDenied', 'ENOSPC', 'EFBIG', 'ENOENT'])(
    'does not retry after the permanent error %s',
    async (code) => {
      expect(await callDuringOutage(MINUTE_MS, failing(code))).toEqual({
        end: `it says ${code}`,
        attempts: 1,
        messages: [],
      });
    },
  );
});
