import { afterEach, expect, it } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { unread } from '#realtime/unread.ts';
import { startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { currentToast } from '#ui/overlays/toast.ts';
import { threadLogId } from '../log/log-id.ts';
import { useFollow } from '../threads/use-follow.ts';
import { markUnread } from './mark-unread.ts';

const message = buildMessage(3);
const state = { followed: true, lastSeq: 5, lastReadSeq: 2, unreadCount: 3, readRevision: 1 };
let stop: () => Promise<void> = async () => undefined;

afterEach(async () => {
  act(dismissToasts);
  await stop();
});

async function respondAfterSignInAs(id: string, status: number) {
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(() => {
    act(() => signInAs(buildUser(id)));
    return { status, body: status === 200 ? state : { code: 'unavailable', message: 'x' } };
  }));
}

const root = 'f'.repeat(24);

it.each([
  ['a', 3],
  ['b', 0],
])('messages are marked as unread for the user who asked for it: %s', async (id, count) => {
  await respondAfterSignInAs(id, 200);
  await markUnread(message, message.conversation);
  const listed = { _id: message.conversation, lastSeq: 0, lastReadSeq: 0, unreadCount: 0, readRevision: 0 };
  expect(unread.countIn(listed)).toBe(count);
  act(() => signInAs(buildUser('a')));
  await markUnread(message, threadLogId(root));
  expect(unread.readsOf(root).unreadCount).toBe(count);
});

it.each([
  ['a', true],
  ['b', false],
])('a thread is followed by the user who asked for it: %s', async (id, isFollowed) => {
  await respondAfterSignInAs(id, 200);
  const { result } = renderHook(() => useFollow(message));
  act(() => result.current.toggle());
  await waitFor(() => expect(result.current.isBusy).toBe(false));
  expect(unread.readsOf(message._id).isFollowed).toBe(isFollowed);
});

it('a failure is not shown to the user who signs in meanwhile', async () => {
  await respondAfterSignInAs('b', 503);
  await markUnread(message, message.conversation);
  expect(currentToast()).toBeUndefined();
});
