import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { configureChunkLoader, loadChunk } from './lazy.ts';

const away = new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/info.js');
let told: boolean[] = [];
let isCut = false;

beforeEach(() => {
  jest.useFakeTimers();
  told = [];
  isCut = false;
  configureChunkLoader({
    isOffline: (isAgain) => {
      if (isCut) told.push(isAgain);
      return Promise.resolve(isCut);
    },
    onMissing: (isAgain) => {
      told.push(isAgain);
      return Promise.resolve(true);
    },
  });
});

afterEach(() => {
  jest.useRealTimers();
});

it('waits for a piece that the network keeps away, and says so once', async () => {
  let isAway = true;
  const piece = loadChunk(() => (isAway ? Promise.reject(away) : Promise.resolve('the dialog')));
  await jest.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual([false, true]);
  isAway = false;
  window.dispatchEvent(new Event('online'));
  expect(await piece).toBe('the dialog');
});

it('tries nothing while the way is known to be cut, as a failure would stay', async () => {
  isCut = true;
  let tried = 0;
  const piece = loadChunk(() => {
    tried += 1;
    return Promise.resolve('the dialog');
  });
  await jest.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual([false, true]);
  expect(tried).toBe(0);
  isCut = false;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await piece).toBe('the dialog');
});

it('hides no fault of the piece itself', async () => {
  await expect(loadChunk(() => Promise.reject(new TypeError('x is not a function')))).rejects.toThrow('x is not');
  expect(told).toEqual([]);
});
