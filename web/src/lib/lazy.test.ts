import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { configureChunkLoader, loadChunk } from './lazy.ts';

const importError = new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/info.js');
let reports: boolean[] = [];
let isOffline = false;

beforeEach(() => {
  jest.useFakeTimers();
  reports = [];
  isOffline = false;
  configureChunkLoader({
    handleOffline: (isRetry) => {
      if (isOffline) reports.push(isRetry);
      return Promise.resolve(isOffline);
    },
    handleMissingChunk: (isRetry) => {
      reports.push(isRetry);
      return Promise.resolve(true);
    },
  });
});

afterEach(() => {
  jest.useRealTimers();
});

it('loadChunk waits for the network and reports the failure once', async () => {
  let isFailing = true;
  const chunk = loadChunk(() => (isFailing ? Promise.reject(importError) : Promise.resolve('the dialog')));
  await jest.advanceTimersByTimeAsync(5_000);
  expect(reports).toEqual([false, true]);
  isFailing = false;
  window.dispatchEvent(new Event('online'));
  expect(await chunk).toBe('the dialog');
});

it('loadChunk does not import while offline, as browsers cache the failure', async () => {
  isOffline = true;
  let importCount = 0;
  const chunk = loadChunk(() => {
    importCount += 1;
    return Promise.resolve('the dialog');
  });
  await jest.advanceTimersByTimeAsync(5_000);
  expect(reports).toEqual([false, true]);
  expect(importCount).toBe(0);
  isOffline = false;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await chunk).toBe('the dialog');
});

it('loadChunk rethrows errors of the module itself', async () => {
  await expect(loadChunk(() => Promise.reject(new TypeError('x is not a function')))).rejects.toThrow('x is not');
  expect(reports).toEqual([]);
});
