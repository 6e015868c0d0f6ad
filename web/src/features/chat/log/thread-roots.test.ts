import { beforeEach, expect, it } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { QueryCache } from '#lib/query/query-cache.ts';
import { notifyConnected } from '#realtime/connection/status.ts';
import { applyChanges } from '#realtime/live-changes.ts';
import { startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { messageSource } from './load-messages.ts';
import { threadLogId } from './log-id.ts';
import { showLog } from './message-store.ts';
import { recordRoot, useRoot } from './thread-roots.ts';

const ME = buildUser('f');
const ada = { _id: 'a'.repeat(24), firstName: 'Ada', lastName: 'Example', version: 3 };
const ROOT = buildMessage(1, { _id: 'e'.repeat(24), sender: ada, content: 'Root' });

beforeEach(() => {
  signInAs(buildUser('z'));
  signInAs(ME);
  recordRoot()(ROOT);
});

const showRoot = () => renderHook(() => useRoot(ROOT._id, ROOT.conversation)).result;

it('a root shows the changes that a catch-up lists', async () => {
  const shown = showRoot();
  const deleted = { ...ROOT, content: '', deleted: true };
  const body = { data: [deleted], hasMore: false, revision: 1, total: 1, page: 1, totalPages: 1 };
  const api = await startApi(() => ({ status: 200, body }));
  await act(() => messageSource.listPage(ROOT.conversation, { changedAfter: 0 }).finally(api.stop));
  expect(shown.current).toMatchObject({ deleted: true, content: '' });
});

it('a root shows its renamed sender', () => {
  const shown = showRoot();
  const augusta = { ...ada, firstName: 'Augusta', version: 4 };
  const change = { resource: 'user' as const, id: ada._id, action: 'updated' as const, version: 4, item: augusta };
  act(() => applyChanges(new QueryCache(), { changes: [{ ...change, tags: ['users', 'people'] }] }, ME));
  expect(shown.current?.sender.firstName).toBe('Augusta');
});

it('a reconnect discards roots, whose changes may have been missed, unless their thread is visible', () => {
  const shown = showRoot();
  const hide = showLog(threadLogId(ROOT._id));
  act(notifyConnected);
  expect(shown.current).toEqual(ROOT);
  hide();
  act(notifyConnected);
  expect(shown.current).toBeUndefined();
});
