import type { Change } from '@atrium/proto-events/realtime';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import { expect, it } from '@jest/globals';
import { conversationRoom } from '../sockets/socket-server.ts';
import { createReplayBuffer } from './replay-buffer.ts';
import { subscribeToTags } from './tag-subscriptions.ts';

const CONVERSATION = 'c'.repeat(24);
const streamCreatedAt = '2026-11-20T08:00:00Z';

it('a replay waits until the socket is in the rooms of its conversations', async () => {
  const replayBuffer = createReplayBuffer(['chat']);
  replayBuffer.begin('chat', { streamCreatedAt, seq: 0 });
  replayBuffer.advance('chat', { streamCreatedAt, seq: 0 });
  const afterPosition = replayBuffer.position();
  const change: Change = {
    resource: 'message',
    id: CONVERSATION,
    action: 'created',
    version: 1,
    tags: ['conversations'],
  };
  const audience = { users: [], conversation: CONVERSATION };
  replayBuffer.add('chat', { streamCreatedAt, seq: 1 }, [{ audience, change }]);
  const entered = Promise.withResolvers<void>();
  const rooms = new Set<string>();
  const socket = {
    rooms,
    data: {
      caller: { userId: 'a'.repeat(24), sessionId: 's', role: 'member' as const },
      issuedAt: 0,
      expiresAt: 0,
      conversations: [],
      participationVersion: 0,
      entered: entered.promise,
    },
    join(joined: string | string[]) {
      for (const room of [joined].flat()) rooms.add(room);
    },
    leave: (room: string) => void rooms.delete(room),
  };
  const response = subscribeToTags(socket, { tags: [], afterPosition }, { replayBuffer, directory: createDirectory() });
  // The rooms are read from the database while the subscription is handled.
  await replayBuffer.whenComplete();
  socket.join(conversationRoom(CONVERSATION));
  entered.resolve();
  expect(await response).toEqual({ position: replayBuffer.position(), changes: [change] });
});
