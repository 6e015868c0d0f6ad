import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { configureChunkLoader, loadChunk } from './lazy.ts';

const away = new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/info.js');
let reports: boolean[] = [];
let isCut = false;

beforeEach(() => {
  jest.useFakeTimers();
  reports = [];
  isCut = false;
  configureChunkLoader({
    isOffline: (isAgain) => {
      if (isCut) reports.push(isAgain);
      return Promise.resolve(isCut);
    },
    onMissing: (isAgain) => {
      reports.push(isAgain);
      return Promise.resolve(true);
    },
  });
});

afterEach(() => {
  jest.useRealTimers();
});

it('loadChunk waits for the network and reports the failure once', async () => {
  let isOffline = true;
  const chunk = loadChunk(() => (isOffline ? Promise.reject(away) : Promise.resolve('the dialog')));
  await jest.advanceTimersByTimeAsync(5_000);
  expect(reports).toEqual([false, true]);
  isOffline = false;
  window.dispatchEvent(new Event('online'));
  expect(await chunk).toBe('the dialog');
});

it('loadChunk does not import while offline, as browsers cache the failure', async () => {
  isCut = true;
  let tried = 0;
  const chunk = loadChunk(() => {
    tried += 1;
    return Promise.resolve('the dialog');
  });
  await jest.advanceTimersByTimeAsync(5_000);
  expect(reports).toEqual([false, true]);
  expect(tried).toBe(0);
  isCut = false;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await chunk).toBe('the dialog');
});

it('loadChunk rethrows errors of the module itself', async () => {
  await expect(loadChunk(() => Promise.reject(new TypeError('x is not a function')))).rejects.toThrow('x is not');
  expect(reports).toEqual([]);
});
