import type { Change } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { REORDER_WAIT_MS } from '#lib/delayed-tasks.ts';
import { liveSocket } from '#realtime/connection/socket.ts';
import { startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { chatEventHandlers } from '../chat-event-handlers.ts';
import { fillGaps } from './fill-gaps.ts';
import { jumpTo, jumpToLatest, loadOlder } from './load-messages.ts';
import { withReceived } from './message-log.ts';
import { applyToLog, logOf, messageStore, showLog } from './message-store.ts';
import { syncAll } from './sync-messages.ts';

const open = 'c'.repeat(24);
const cleanups: (() => unknown)[] = [];

beforeEach(() => {
  signInAs(buildUser('z'));
  signInAs(buildUser('a'));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Opens a conversation of five messages; the response with the first three waits until it is released. */
async function openRoom(last = 5) {
  const gate = Promise.withResolvers<void>();
  const requests: string[] = [];
  const deletedMessage = { ...buildMessage(2), content: '', deleted: true };
  const api = await startApi(async ({ path }) => {
    requests.push(path);
    const query = new URL(path, 'http://localhost').searchParams;
    const buildPage = (data: unknown[], revision: number, hasMore = false) => ({
      status: 200,
      body: { data, hasMore, revision, total: last, page: 1, totalPages: 1 },
    });
    if (query.has('changedAfter')) return buildPage([deletedMessage], 5);
    if (query.has('after')) return buildPage([buildMessage(6)], 5);
    if (!query.has('before')) return buildPage([buildMessage(4), buildMessage(5)], 4, true);
    await gate.promise;
    return buildPage([buildMessage(1), buildMessage(2), buildMessage(3)], 4);
  });
  cleanups.push(api.stop, showLog(open), fillGaps(open));
  await syncAll(open, { at: null });
  const events = chatEventHandlers({
    currentUserId: buildUser('a')._id,
    open,
    isVisible: () => true,
    store: messageStore,
    typing: { start: () => undefined, stop: () => undefined },
    onRead: () => undefined,
    onGone: () => undefined,
    onMembership: () => undefined,
  });
  return { release: gate.resolve, requests, events };
}

it('fillGaps fetches a deletion that was announced while the page with its message was loading', async () => {
  const { release, requests, events } = await openRoom();
  const older = loadOlder(open);
  await waitFor(() => expect(requests.at(-1)).toContain('before=4'));
  events['message:deleted']?.({ conversation: open, message: buildMessage(2)._id, seq: 2, revision: 5 });
  release();
  await older;
  await waitFor(() => expect(logOf(open).messages[1]).toMatchObject({ seq: 2, content: '', deleted: true }));
  expect(logOf(open)).toMatchObject({ revision: 5, announcedRevision: 5 });
});

it('fillGaps requests nothing if out-of-order messages arrive shortly after each other', async () => {
  const { requests, events } = await openRoom();
  requests.length = 0;
  events['message:new']?.({ message: buildMessage(7) });
  await new Promise((resolve) => setTimeout(resolve, REORDER_WAIT_MS / 2));
  events['message:new']?.({ message: buildMessage(6) });
  expect(logOf(open).messages.map(({ seq }) => seq)).toEqual([4, 5, 6, 7]);
  await new Promise((resolve) => setTimeout(resolve, REORDER_WAIT_MS));
  expect(requests).toEqual([]);
  events['message:new']?.({ message: buildMessage(9) });
  await waitFor(() => expect(requests).toEqual([expect.stringContaining('after=7')]));
});

it('fillGaps fetches messages and edits that were announced and have not arrived', async () => {
  const { requests, events } = await openRoom();
  requests.length = 0;
  const announce = (change: Pick<Change, 'action' | 'version' | 'revision'>) => {
    const changes: Change[] = [{ resource: 'message', id: open, tags: ['conversations'], ...change }];
    for (const listener of liveSocket.listeners('changed')) listener({ changes, position: 'p' });
  };
  announce({ action: 'created', version: 6 });
  events['message:new']?.({ message: buildMessage(6) });
  await new Promise((resolve) => setTimeout(resolve, 2 * REORDER_WAIT_MS));
  expect(requests).toEqual([]);
  announce({ action: 'created', version: 7 });
  await waitFor(() => expect(requests).toEqual([expect.stringContaining('after=6')]));
  announce({ action: 'updated', version: 2, revision: 5 });
  await waitFor(() => expect(requests).toContainEqual(expect.stringContaining('changedAfter=4')));
});

it.each([
  ['sends one request if no message was sent in the meantime', 5, ['changedAfter=4']],
  ['sends a second request if a message was sent in the meantime', 6, ['changedAfter=4', 'after=5']],
])('syncAll, after a reconnect, %s', async (_name, last, requestsFor) => {
  const { requests } = await openRoom(last);
  requests.length = 0;
  await syncAll(open);
  expect(requests.map((path) => /(?:changedAfter|after)=\d+/.exec(path)?.[0])).toEqual(requestsFor);
  expect(logOf(open).messages.at(-1)?.seq).toBe(last);
});

it('jumpToLatest shows messages sent while the newest page was loading', async () => {
  const requests: string[] = [];
  const gate = Promise.withResolvers<void>();
  const page = (hasMore: boolean, ...seqs: number[]) => ({
    status: 200,
    body: { data: seqs.map((seq) => buildMessage(seq)), hasMore, revision: 0, total: 900, page: 1, totalPages: 1 },
  });
  const api = await startApi(async ({ path }) => {
    const query = new URL(path, 'http://localhost').searchParams;
    const after = query.get('after');
    if (after === null) {
      const newest = page(true, 899, 900);
      await gate.promise;
      return newest;
    }
    requests.push(after);
    return after === '0' ? page(true, 4, 5, 6) : page(false, 901, 902);
  });
  cleanups.push(api.stop, showLog(open), fillGaps(open));
  await jumpTo(open, 5);
  expect(logOf(open).hasNewer).toBe(true);
  const arriving = jumpToLatest(open);
  // The first is from another user, the second from the response to the user's own send.
  for (const seq of [901, 902]) applyToLog(open, (log) => withReceived(log, [buildMessage(seq)]));
  gate.resolve();
  await arriving;
  await waitFor(() => expect(logOf(open).messages.map(({ seq }) => seq)).toEqual([899, 900, 901, 902]));
  expect(requests).toEqual(['0', '900']);
});

it('a jump to the first loaded message loads the one before it, which decides how it is shown', async () => {
  const { requests } = await openRoom();
  await jumpTo(open, 5);
  expect(requests).toHaveLength(1);
  await jumpTo(open, 4);
  expect(requests[1]).toContain('after=0');
});
