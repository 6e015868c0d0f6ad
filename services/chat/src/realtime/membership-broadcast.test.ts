import { createLogger } from '@atrium/service-kit/observability/logger';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Server } from 'socket.io';
import type { ChatNamespace } from '../sockets/socket-server.ts';
import { createMembershipBroadcast } from './membership-broadcast.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('a membership broadcast is not retried while Redis is disconnected, but once it is connected again', async () => {
  let isConnected = false;
  const synced: { conversation: string; isEverywhere: boolean }[] = [];
  const chat: ChatNamespace = new Server().of('/chat');
  // Other pods never acknowledge.
  chat.adapter.serverSideEmit = () => undefined;
  const broadcast = createMembershipBroadcast({
    chat,
    redis: { isConnected: () => isConnected },
    log: createLogger('test', 'silent'),
    async sync(conversation, _userIds, { everywhere = false } = {}) {
      synced.push({ conversation, isEverywhere: everywhere });
    },
  });
  await broadcast.sync('a', ['ann'], { isLeaving: false });
  await broadcast.sync('b', ['ann'], { isLeaving: false });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(synced.map(({ conversation }) => conversation)).toEqual(['a', 'b']);
  isConnected = true;
  // Each attempt waits for the acknowledgment timeout.
  await jest.advanceTimersByTimeAsync(12_000);
  expect(synced.slice(2).map(({ conversation }) => conversation)).toEqual(expect.arrayContaining(['a', 'b']));
  broadcast.close();
});
