import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError, networkError } from '../api/api-error.ts';
import type { StallReason } from '../sending/retry-while.ts';
import { type StoredParts, sendInParts, type UploadCalls } from './send-in-parts.ts';

const PART = 10;
const FILE = new Blob(['x'.repeat(25)]);

/** Creates a server that stores the parts. */
function createServer() {
  const upload: StoredParts = { _id: 'a', partBytes: PART, parts: [] };
  const log: string[] = [];
  /** How the next calls fail. `lost` succeeds, but its response does not arrive. */
  const failures: ('unavailable' | 'lost' | 'busy' | ApiError)[] = [];
  const handle = async <T>(name: string, run: () => T): Promise<T> => {
    const failure = failures.shift();
    log.push(failure === undefined ? name : `${name}!`);
    if (failure instanceof ApiError) throw failure;
    if (failure === 'unavailable') throw networkError();
    if (failure === 'busy') throw new ApiError({ status: 503, code: 'unavailable', messages: [], retryAfterMs: 1 }, '');
    const result = run();
    if (failure === 'lost') throw networkError();
    return result;
  };
  const copy = () => ({ ...upload, parts: [...upload.parts] });
  const calls: UploadCalls<string> = {
    begin: () => handle('begin', copy),
    read: () => handle('read', copy),
    put: (_id, number, bytes, { onProgress }) =>
      handle(`put ${number}`, () => {
        onProgress(0.5);
        expect(bytes.size).toBe(number === 3 ? 5 : PART);
        upload.parts = [...new Set([...upload.parts, number])];
        onProgress(1);
      }),
    complete: () => handle('complete', () => 'the document'),
  };
  return { upload, log, failures, calls };
}

let fractions: number[] = [];
let stalls: (StallReason | null)[] = [];
let controller = new AbortController();
beforeEach(() => {
  fractions = [];
  stalls = [];
  controller = new AbortController();
});

const send = (calls: UploadCalls<string>) =>
  sendInParts(FILE, calls, {
    signal: controller.signal,
    onProgress: (fraction) => fractions.push(fraction),
    onStalled: (reason) => {
      stalls.push(reason);
      // The network recovers.
      if (reason) setTimeout(() => window.dispatchEvent(new Event('online')));
    },
  });

describe('an upload in parts', () => {
  it('is sent part by part with progress', async () => {
    const { calls, log } = createServer();
    expect(await send(calls)).toBe('the document');
    expect(log).toEqual(['begin', 'put 1', 'put 2', 'put 3', 'complete']);
    expect(fractions).toEqual([0, 0.2, 0.4, 0.4, 0.6, 0.8, 0.8, 0.9, 1, 1]);
    expect(stalls).toEqual([]);
  });

  it('resumes after a network failure without resending stored parts, and its progress never decreases', async () => {
    const { calls, log, failures } = createServer();
    failures.push('lost');
    await send(calls);
    expect(log).toEqual(['begin!', 'begin', 'put 1', 'put 2', 'put 3', 'complete']);
    expect(stalls).toEqual(['connection', null]);
  });

  it.each([
    [
      'the part was not stored',
      ['unavailable', 'unavailable'],
      ['begin', 'put 1', 'put 2!', 'read!', 'read', 'put 2', 'put 3', 'complete'],
    ],
    [
      'the part was stored and its response was lost',
      ['lost'],
      ['begin', 'put 1', 'put 2!', 'read', 'put 3', 'complete'],
    ],
    ['the server is busy', ['busy'], ['begin', 'put 1', 'put 2!', 'read', 'put 2', 'put 3', 'complete']],
  ] as const)('queries the stored parts before it retries when %s', async (_label, nextFailures, expectedLog) => {
    const { calls, log, failures } = createServer();
    const { put } = calls;
    let isFirst = true;
    calls.put = (id, number, ...rest) => {
      if (number === 2 && isFirst) failures.push(...nextFailures);
      if (number === 2) isFirst = false;
      return put(id, number, ...rest);
    };
    await send(calls);
    expect(log).toEqual(expectedLog);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
  });

  it('waits for a busy server as long as necessary', async () => {
    const { calls, failures } = createServer();
    failures.push(...Array.from({ length: 20 }, () => 'busy' as const));
    expect(await send(calls)).toBe('the document');
    expect(new Set(stalls)).toEqual(new Set(['server', null]));
  });

  it('fails after repeated internal errors, and can then be retried', async () => {
    const { calls, log } = createServer();
    const { complete } = calls;
    calls.complete = async () => {
      log.push('complete!');
      throw new ApiError({ status: 500, code: 'internal', messages: ['Internal server error'] }, '');
    };
    await expect(send(calls)).rejects.toThrow('Internal server error');
    expect(log.filter((name) => name === 'complete!')).toHaveLength(8);
    calls.complete = complete;
    expect(await send(calls)).toBe('the document');
    expect(log.filter((name) => name.startsWith('put'))).toHaveLength(3);
  });

  it('resumes an earlier upload from its stored parts', async () => {
    const { calls, log, upload } = createServer();
    upload.parts = [1, 3];
    await send(calls);
    expect(log).toEqual(['begin', 'put 2', 'complete']);
    expect(fractions[0]).toBe(0.6);
  });

  it('fails on a final error, and when it is canceled while waiting', async () => {
    const { calls, failures } = createServer();
    failures.push(new ApiError({ status: 413, code: 'too_large', messages: ['No room'] }, ''));
    await expect(send(calls)).rejects.toThrow('No room');
    const unavailableServer = createServer();
    unavailableServer.failures.push('unavailable');
    const sending = sendInParts(FILE, unavailableServer.calls, {
      signal: controller.signal,
      onProgress: () => undefined,
      onStalled: () => controller.abort(),
    });
    await expect(sending).rejects.toThrow('Upload canceled');
    expect(unavailableServer.log).toEqual(['begin!']);
  });
});
