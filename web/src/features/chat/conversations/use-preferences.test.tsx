import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { useConversation } from '#entities/conversation/use-conversations.ts';
import { type Handler, startApi } from '#test/api-server.ts';
import { buildConversation } from '#test/build-conversation.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { usePreferences } from './use-preferences.ts';

const conversation = buildConversation();
let requests: { body: unknown; respond: (status: number) => void }[] = [];
let stop: () => Promise<void> = async () => undefined;

const server: Handler = async ({ method, body }) => {
  if (method === 'GET') return { status: 200, body: conversation };
  const { promise, resolve } = Promise.withResolvers<number>();
  requests.push({ body, respond: resolve });
  const status = await promise;
  const saved = { ...conversation.preferences, ...(body as object) };
  return { status, body: status === 200 ? saved : { message: 'Failed', code: 'unavailable', requestId: 'r' } };
};

beforeEach(async () => {
  act(() => signInAs(buildUser('z')));
  act(() => signInAs(buildUser('a')));
  requests = [];
  ({ stop } = await startApi(server));
});
afterEach(async () => {
  cleanup();
  await stop();
});

async function show() {
  const { result } = renderHook(
    () => ({ change: usePreferences(), shown: useConversation(conversation._id).data?.preferences }),
    withQueryCache,
  );
  await waitFor(() => expect(result.current.shown).toBeDefined());
  return result;
}

it('changes of a conversation are sent sequentially', async () => {
  const result = await show();
  act(() => void result.current.change(conversation, { starred: true }));
  act(() => void result.current.change(conversation, { starred: false }));
  await waitFor(() => expect(requests.map(({ body }) => body)).toEqual([{ starred: true }]));
  await act(async () => requests[0]?.respond(200));
  await waitFor(() => expect(requests.map(({ body }) => body)).toEqual([{ starred: true }, { starred: false }]));
  await act(async () => requests[1]?.respond(200));
  expect(result.current.shown?.starred).toBe(false);
});

it('a change that fails is reverted to what was saved, and later ones stay', async () => {
  const result = await show();
  act(() => void result.current.change(conversation, { starred: true, notify: 'mentions' }));
  act(() => void result.current.change(conversation, { notify: 'none' }));
  await waitFor(() => expect(requests).toHaveLength(1));
  await act(async () => requests[0]?.respond(400));
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(result.current.shown).toMatchObject({ starred: false, notify: 'none' });
  await act(async () => requests[1]?.respond(200));
});
