import type { ChatClientEvents, ChatServerEvents } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { renderHook, waitFor } from '@testing-library/react';
import type { Socket } from 'socket.io';
import { chatSocket } from '#realtime/connection/socket.ts';
import { buildUser } from '#test/build-user.ts';
import { startLive } from '#test/live-server.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { followPresence, usePresence } from './presence.ts';

const cleanups: (() => unknown)[] = [];

beforeEach(() => signInAs(buildUser('a')));
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

const users = Array.from({ length: 600 }, (_, n) => ({ _id: n.toString(16).padStart(24, '0') }));
const [first, last] = [users[0], users[599]] as [{ _id: string }, { _id: string }];

async function open(greet: (socket: Socket<ChatClientEvents, ChatServerEvents>) => void) {
  const server = await startLive(() => ({ ok: false, error: { code: 'not_found', message: 'none' } }));
  server.chat.on('connection', greet);
  cleanups.push(server.stop, followPresence(), () => chatSocket.disconnect());
  chatSocket.connect();
  return renderHook(({ visibleUsers }) => usePresence(visibleUsers), { initialProps: { visibleUsers: users } });
}

it('usePresence reports the presence of subscribed users only', async () => {
  const { result, rerender } = await open((socket) => {
    socket.on('presence:subscribe', ({ users }, respond) => respond({ ok: true, data: { online: users } }));
  });
  await waitFor(() => expect(result.current(last)).toBe('online'));
  expect(result.current(first)).toBeUndefined();
  rerender({ visibleUsers: [first] });
  await waitFor(() => expect(result.current(first)).toBe('online'));
});
