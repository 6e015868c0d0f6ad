import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import { buildUser } from '../../../test/a-person.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { hasDrafts } from '../forms/drafts.ts';
import { useStoredText } from '../forms/use-stored-text.ts';
import { useIdempotencyKey } from './use-idempotency-key.ts';

let heard: string[];
let isLost: boolean;

beforeEach(() => {
  [heard, isLost] = [[], false];
  localStorage.clear();
  act(() => signInAs(buildUser('a')));
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const write = (_words: string, key: string): Promise<void> => {
  heard.push(key);
  return isLost ? Promise.reject(new Error('lost')) : Promise.resolve();
};

const open = (place = 'a-place') =>
  renderHook(() => ({ send: useIdempotencyKey(place, write), setDraft: useStoredText(place)[1] })).result;

it('keeps the key while the same is sent again, and takes another for other words and after an answer', async () => {
  const { send } = open().current;
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

it('sends the words that a reload gave back under the key that they had, and other words under another', async () => {
  const before = open();
  act(() => before.current.setDraft('one'));
  isLost = true;
  await expect(before.current.send('one')).rejects.toThrow('lost');
  act(() => before.current.setDraft('one and more'));
  act(() => before.current.setDraft('one'));
  cleanup();
  isLost = false;
  await open('another-place').current.send('one');
  const after = open();
  await after.current.send('one');
  cleanup();
  await open().current.send('one');
  const [first, elsewhere, again, anew] = heard;
  expect(again).toBe(first);
  expect(elsewhere).not.toBe(first);
  expect(anew).not.toBe(first);
});

it('leaves nothing on the device when the draft goes, and nothing at all without one', async () => {
  const { send, setDraft } = open().current;
  isLost = true;
  await expect(send('one')).rejects.toThrow('lost');
  expect(hasDrafts()).toBe(false);
  act(() => setDraft('one'));
  await expect(send('one')).rejects.toThrow('lost');
  act(() => setDraft(''));
  expect(hasDrafts()).toBe(false);
});
