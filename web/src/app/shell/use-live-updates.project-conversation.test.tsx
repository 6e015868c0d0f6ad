import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { useProjectConversation } from '#entities/conversation/use-project-conversation.ts';
import { QueryCache } from '#lib/query/query-cache.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { startLive } from '#test/live-server.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { useLiveUpdates } from './use-live-updates.ts';

const ME = buildUser('a');
const PROJECT = 'd'.repeat(24);
const projectConversation = buildConversation({
  type: 'project',
  project: { _id: PROJECT, projectManager: ME._id },
  lastSeq: 4,
  lastReadSeq: 4,
});

let requests: string[];
let live: Awaited<ReturnType<typeof startLive>>;
let stop: () => Promise<unknown>;

beforeEach(async () => {
  requests = [];
  const api = await startApi(({ path }) => {
    requests.push(path);
    if (!path.includes('/chat/conversations')) return { status: 200, body: ME };
    return { status: 200, body: { data: [projectConversation], total: 1, page: 1, totalPages: 1 } };
  });
  live = await startLive(() => ({ ok: true, data: { position: 'p', changes: [] } }));
  stop = () => Promise.all([api.stop(), live.stop()]);
  signInAs(ME);
});

afterEach(async () => {
  cleanup();
  await stop();
});

function ProjectPage() {
  useLiveUpdates();
  const conversation = useProjectConversation(PROJECT);
  return (
    <p>
      {conversation ? `${conversation.lastMessage?.content ?? 'nothing'}, ${conversation.unreadCount} unread` : 'none'}
    </p>
  );
}

const countRequests = () => requests.filter((path) => path.includes('/chat/conversations')).length;
const message = (seq: number) => buildMessage(seq, { conversation: projectConversation._id, sender: buildUser('b') });
const hint = (version: number) =>
  live.live.emit('changed', {
    changes: [
      { resource: 'message', id: projectConversation._id, action: 'created', version, tags: ['conversations'] },
    ],
    position: 'p1',
  });

it('a project page shows messages of its conversation as they arrive, without requesting them', async () => {
  render(
    <SWRConfig value={{ ...swrConfig, provider: () => new QueryCache() }}>
      <ProjectPage />
    </SWRConfig>,
  );
  await screen.findByText('nothing, 0 unread');
  await waitFor(() => expect([live.subscriptions.length, live.chat.sockets.size]).toEqual([1, 1]));
  for (const seq of [5, 6]) {
    act(() => void live.chat.emit('message:new', { message: message(seq) }));
    await screen.findByText(`message ${seq}, ${seq - 4} unread`);
    act(() => void hint(seq));
  }
  act(() => void live.chat.emit('message:deleted', { conversation: projectConversation._id, message: 'm', seq: 6 }));
  await screen.findByText(', 2 unread');
  const read = { conversation: projectConversation._id, lastSeq: 6, lastReadSeq: 6, unreadCount: 0, readRevision: 0 };
  act(() => void live.chat.emit('conversation:state', read));
  await screen.findByText(', 0 unread');
  expect(countRequests()).toBe(1);
});
