import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { hasDrafts } from '../forms/drafts.ts';
import { useStoredText } from '../forms/use-stored-draft.ts';
import { useIdempotencyKey } from './use-idempotency-key.ts';

let received: string[];
let isLost: boolean;

beforeEach(() => {
  [received, isLost] = [[], false];
  localStorage.clear();
  act(() => signInAs(buildUser('a')));
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const write = (_words: string, key: string): Promise<void> => {
  received.push(key);
  return isLost ? Promise.reject(new Error('lost')) : Promise.resolve();
};

const open = (place = 'a-place') =>
  renderHook(() => ({ send: useIdempotencyKey(place, write), setDraft: useStoredText(place)[1] })).result;

it('useIdempotencyKey keeps the key for the same body, and changes it for another body or after a response', async () => {
  const { send } = open().current;
  isLost = true;
  await expect(send('one')).rejects.toThrow('lost');
  await expect(send('one')).rejects.toThrow('lost');
  await expect(send('two')).rejects.toThrow('lost');
  isLost = false;
  await send('two');
  await send('two');
  const [first, again, other, arrived, restored] = received;
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(arrived).toBe(other);
  expect(restored).not.toBe(arrived);
});

it('useIdempotencyKey restores the key with the draft after a reload, and uses another for another body', async () => {
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
  const [first, elsewhere, again, restored] = received;
  expect(again).toBe(first);
  expect(elsewhere).not.toBe(first);
  expect(restored).not.toBe(first);
});

it('useIdempotencyKey deletes the key with the draft, and stores none without a draft', async () => {
  const { send, setDraft } = open().current;
  isLost = true;
  await expect(send('one')).rejects.toThrow('lost');
  expect(hasDrafts()).toBe(false);
  act(() => setDraft('one'));
  await expect(send('one')).rejects.toThrow('lost');
  act(() => setDraft(''));
  expect(hasDrafts()).toBe(false);
});
