import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError, networkError } from '../api/api-error.ts';
import { type StoredParts, sendInParts, type UploadCalls } from './send-in-parts.ts';

const PART = 10;
const FILE = new Blob(['x'.repeat(25)]);

/** A server that stores the parts. */
function createServer() {
  const there: StoredParts = { _id: 'a', partBytes: PART, parts: [] };
  const log: string[] = [];
  /** What happens to the next calls: `lost` succeeds, but its response does not arrive. */
  const failures: ('away' | 'lost' | 'busy' | ApiError)[] = [];
  const meet = async <T>(name: string, run: () => T): Promise<T> => {
    const fault = failures.shift();
    log.push(fault === undefined ? name : `${name}!`);
    if (fault instanceof ApiError) throw fault;
    if (fault === 'away') throw networkError();
    if (fault === 'busy') throw new ApiError({ status: 503, code: 'unavailable', messages: [], retryAfterMs: 1 }, '');
    const answer = run();
    if (fault === 'lost') throw networkError();
    return answer;
  };
  const copy = () => ({ ...there, parts: [...there.parts] });
  const calls: UploadCalls<string> = {
    begin: () => meet('begin', copy),
    read: () => meet('read', copy),
    put: (_id, number, bytes, { onProgress }) =>
      meet(`put ${number}`, () => {
        onProgress(0.5);
        expect(bytes.size).toBe(number === 3 ? 5 : PART);
        there.parts = [...new Set([...there.parts, number])];
        onProgress(1);
      }),
    complete: () => meet('complete', () => 'the document'),
  };
  return { there, log, failures, calls };
}

let shown: number[] = [];
let stalls: boolean[] = [];
let controller = new AbortController();
beforeEach(() => {
  shown = [];
  stalls = [];
  controller = new AbortController();
});

const send = (calls: UploadCalls<string>) =>
  sendInParts(FILE, calls, {
    signal: controller.signal,
    onProgress: (fraction) => shown.push(fraction),
    onStalled: (isStalled) => {
      stalls.push(isStalled);
      // The network recovers.
      if (isStalled) setTimeout(() => window.dispatchEvent(new Event('online')));
    },
  });

describe('an upload in parts', () => {
  it('is sent part by part with progress', async () => {
    const { calls, log } = createServer();
    expect(await send(calls)).toBe('the document');
    expect(log).toEqual(['begin', 'put 1', 'put 2', 'put 3', 'complete']);
    expect(shown).toEqual([0, 0.2, 0.4, 0.4, 0.6, 0.8, 0.8, 0.9, 1, 1]);
    expect(stalls).toEqual([]);
  });

  it('resumes after a network failure without resending stored parts, and its progress never decreases', async () => {
    const { calls, log, failures } = createServer();
    failures.push('lost');
    await send(calls);
    expect(log).toEqual(['begin!', 'begin', 'put 1', 'put 2', 'put 3', 'complete']);
    expect(stalls).toEqual([true, false]);
  });

  it.each([
    [
      'the part was not stored',
      ['away', 'away'],
      ['begin', 'put 1', 'put 2!', 'read!', 'read', 'put 2', 'put 3', 'complete'],
    ],
    ['it was stored, and its response was lost', ['lost'], ['begin', 'put 1', 'put 2!', 'read', 'put 3', 'complete']],
    ['the server is busy', ['busy'], ['begin', 'put 1', 'put 2!', 'read', 'put 2', 'put 3', 'complete']],
  ] as const)('first queries the stored parts: %s', async (_what, given, wanted) => {
    const { calls, log, failures } = createServer();
    const { put } = calls;
    let first = true;
    calls.put = (id, number, ...rest) => {
      if (number === 2 && first) failures.push(...given);
      if (number === 2) first = false;
      return put(id, number, ...rest);
    };
    await send(calls);
    expect(log).toEqual(wanted);
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
  });

  it('resumes an earlier upload from its stored parts', async () => {
    const { calls, log, there } = createServer();
    there.parts = [1, 3];
    await send(calls);
    expect(log).toEqual(['begin', 'put 2', 'complete']);
    expect(shown[0]).toBe(0.6);
  });

  it('fails on a final error, and when it is cancelled while waiting', async () => {
    const { calls, failures } = createServer();
    failures.push(new ApiError({ status: 413, code: 'too_large', messages: ['No room'] }, ''));
    await expect(send(calls)).rejects.toThrow('No room');
    const other = createServer();
    other.failures.push('away');
    const sending = sendInParts(FILE, other.calls, {
      signal: controller.signal,
      onProgress: () => undefined,
      onStalled: () => controller.abort(),
    });
    await expect(sending).rejects.toThrow('Upload cancelled');
    expect(other.log).toEqual(['begin!']);
  });
});
