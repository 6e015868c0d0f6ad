import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { persistently } from './with-retries.ts';

const MINUTE_MS = 60_000;
const failing = (code: string) => Object.assign(new Error(`it says ${code}`), { code });

describe('what is asked of the object store', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** How it ends where the store is away for so long; all that was said meanwhile. */
  const askWhile = async (awayMs: number, error = failing('ECONNREFUSED')) => {
    const said: string[] = [];
    const began = Date.now();
    let attempts = 0;
    let end: string | undefined;
    const asked = persistently((line) => void said.push(line))(async () => {
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
    return { end, attempts, said };
  };

  it('is asked again until a store is there that was away for nine minutes, which is said once', async () => {
    const { end, said } = await askWhile(9 * MINUTE_MS);
    expect(end).toBe('there');
    expect(said).toEqual([expect.stringContaining('it says ECONNREFUSED')]);
  });

  it('is given up where it stays away', async () => {
    expect((await askWhile(19 * MINUTE_MS)).end).toBe('it says ECONNREFUSED');
  });

  it.each(['NoSuchKey', 'AccessDenied', 'ENOSPC', 'EFBIG', 'ENOENT'])(
    'is asked once where %s says that nothing will change',
    async (code) => {
      expect(await askWhile(MINUTE_MS, failing(code))).toEqual({ end: `it says ${code}`, attempts: 1, said: [] });
    },
  );
});
