import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { hasDrafts } from '../forms/drafts.ts';
import { useStoredText } from '../forms/use-stored-draft.ts';
import { useIdempotencyKey } from './use-idempotency-key.ts';

let receivedKeys: string[];
let failsWrites: boolean;

beforeEach(() => {
  receivedKeys = [];
  failsWrites = false;
  localStorage.clear();
  act(() => signInAs(buildUser('a')));
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const write = (_body: string, key: string): Promise<void> => {
  receivedKeys.push(key);
  return failsWrites ? Promise.reject(new Error('lost')) : Promise.resolve();
};

const open = (draftKey = 'a-draft') =>
  renderHook(() => ({ send: useIdempotencyKey(draftKey, write), setDraft: useStoredText(draftKey)[1] })).result;

it('useIdempotencyKey keeps the key for the same body, and changes it for a different body or after a response', async () => {
  const { send } = open().current;
  failsWrites = true;
  await expect(send('one')).rejects.toThrow('lost');
  await expect(send('one')).rejects.toThrow('lost');
  await expect(send('two')).rejects.toThrow('lost');
  failsWrites = false;
  await send('two');
  await send('two');
  const [first, retry, otherBody, otherBodyRetry, afterSuccess] = receivedKeys;
  expect(retry).toBe(first);
  expect(otherBody).not.toBe(first);
  expect(otherBodyRetry).toBe(otherBody);
  expect(afterSuccess).not.toBe(otherBodyRetry);
});

it('useIdempotencyKey restores the key with its draft after a reload, and uses a new key for a different draft', async () => {
  const before = open();
  act(() => before.current.setDraft('one'));
  failsWrites = true;
  await expect(before.current.send('one')).rejects.toThrow('lost');
  act(() => before.current.setDraft('one and more'));
  act(() => before.current.setDraft('one'));
  cleanup();
  failsWrites = false;
  await open('another-draft').current.send('one');
  const after = open();
  await after.current.send('one');
  cleanup();
  await open().current.send('one');
  const [first, otherDraft, restored, afterSuccess] = receivedKeys;
  expect(restored).toBe(first);
  expect(otherDraft).not.toBe(first);
  expect(afterSuccess).not.toBe(first);
});

it('useIdempotencyKey deletes the key with the draft, and stores none without a draft', async () => {
  const { send, setDraft } = open().current;
  failsWrites = true;
  await expect(send('one')).rejects.toThrow('lost');
  expect(hasDrafts()).toBe(false);
  act(() => setDraft('one'));
  await expect(send('one')).rejects.toThrow('lost');
  act(() => setDraft(''));
  expect(hasDrafts()).toBe(false);
});
