import { expect, it } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { useRepeatable } from './use-repeatable.ts';

const heard: string[] = [];
let isLost = false;

const write = (_words: string, key: string): Promise<void> => {
  heard.push(key);
  return isLost ? Promise.reject(new Error('lost')) : Promise.resolve();
};

it('keeps the key while the same is sent again, and takes another for other words and after an answer', async () => {
  const { result } = renderHook(() => useRepeatable(write));
  const send = (words: string) => result.current(words);
  isLost = true;
  await expect(send('one')).rejects.toThrow('lost');
  await expect(send('one')).rejects.toThrow('lost');
  await expect(send('two')).rejects.toThrow('lost');
  isLost = false;
  await send('two');
  await send('two');
  const [first, again, other, arrived, anew] = heard;
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(arrived).toBe(other);
  expect(anew).not.toBe(arrived);
});
