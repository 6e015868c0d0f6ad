import type { ChatClientEvents, ChatServerEvents } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { renderHook, waitFor } from '@testing-library/react';
import type { Socket } from 'socket.io';
import { chatSocket } from '#realtime/socket.ts';
import { buildUser } from '#test/build-user.ts';
import { startLive } from '#test/live-server.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { followPresence, usePresence } from './presence.ts';

const ends: (() => unknown)[] = [];

beforeEach(() => signInAs(buildUser('a')));
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const people = Array.from({ length: 600 }, (_, n) => ({ _id: n.toString(16).padStart(24, '0') }));
const [first, last] = [people[0], people[599]] as [{ _id: string }, { _id: string }];

async function open(greet: (socket: Socket<ChatClientEvents, ChatServerEvents>) => void) {
  const server = await startLive(() => ({ ok: false, error: { code: 'not_found', message: 'none' } }));
  server.chat.on('connection', greet);
  ends.push(server.stop, followPresence(), () => chatSocket.disconnect());
  chatSocket.connect();
  return renderHook(({ shown }) => usePresence(shown), { initialProps: { shown: people } });
}

it('reports presence only for subscribed users, and no one else as offline', async () => {
  const { result, rerender } = await open((socket) => {
    socket.on('presence:subscribe', ({ users }, answer) => answer({ ok: true, data: { online: users } }));
  });
  await waitFor(() => expect(result.current(last)).toBe('online'));
  expect(result.current(first)).toBeUndefined();
  rerender({ shown: [first] });
  await waitFor(() => expect(result.current(first)).toBe('online'));
});
