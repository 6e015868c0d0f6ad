import { beforeEach, expect, it } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { startEdit, useEdit } from './edits.ts';

beforeEach(() => {
  localStorage.clear();
  act(() => signInAs(buildUser('a')));
});

it('starting an edit again continues the one that is not saved', () => {
  const message = buildMessage(1);
  const { result } = renderHook(() => useEdit(message.conversation, message._id));
  const textOf = () => result.current.draft?.text;
  act(() => startEdit(message.conversation, message));
  expect(textOf()).toBe(message.content);
  act(() => result.current.write({ text: 'Unfinished' }));
  act(() => startEdit(message.conversation, message));
  expect(textOf()).toBe('Unfinished');
  act(() => result.current.end());
  act(() => startEdit(message.conversation, message));
  expect(textOf()).toBe(message.content);
});
