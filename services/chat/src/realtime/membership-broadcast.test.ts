import { createLogger } from '@atrium/service-kit/observability/logger';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Server } from 'socket.io';
import type { ChatNamespace } from '../sockets/socket-server.ts';
import { createMembershipBroadcast } from './membership-broadcast.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('asks the database nothing more while no other pod can be told, and tells them once they can', async () => {
  let isTalking = false;
  const followed: { conversation: string; isEverywhere: boolean }[] = [];
  const chat: ChatNamespace = new Server().of('/chat');
  // Others are told, and answer nothing.
  chat.adapter.serverSideEmit = () => undefined;
  const news = createMembershipBroadcast({
    chat,
    redis: { talking: () => isTalking },
    log: createLogger('test', 'silent'),
    async follow(conversation, _userIds, { everywhere = false } = {}) {
      followed.push({ conversation, isEverywhere: everywhere });
    },
  });
  await news.follow('a', ['ann'], { isLeaving: false });
  await news.follow('b', ['ann'], { isLeaving: false });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(followed.map(({ conversation }) => conversation)).toEqual(['a', 'b']);
  isTalking = true;
  // Nobody answers here, which is waited for.
  await jest.advanceTimersByTimeAsync(12_000);
  expect(followed.slice(2).map(({ conversation }) => conversation)).toEqual(expect.arrayContaining(['a', 'b']));
  news.close();
});
