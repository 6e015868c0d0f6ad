import type { Directory } from '@atrium/service-kit/directory/directory';
import { LARGE_ROOM_SIZE } from '../sockets/broadcaster.ts';
import { conversationRoom, userRoom } from '../sockets/rooms.ts';
import type { ChatNamespace, ChatSocket } from '../sockets/socket-server.ts';

/** Per conversation; clients show the indicator for a few seconds. */
const MIN_REPEAT_INTERVAL_MS = 1_000;

export type Typing = { start(conversationId: string): void; stop(conversationId: string): void; stopAll(): void };

/** Relays typing to the other participants; volatile, so slow connections skip it. */
export function createTyping(chat: ChatNamespace, socket: ChatSocket, directory: Pick<Directory, 'summary'>): Typing {
  const { userId } = socket.data.caller;
  const started = new Map<string, number>();
  const others = (conversation: string) => {
    const room = conversationRoom(conversation);
    return (chat.adapter.rooms.get(room)?.size ?? 0) > LARGE_ROOM_SIZE
      ? null
      : chat.to(room).except(userRoom(userId)).volatile;
  };
  const stop = (conversation: string) => {
    if (started.delete(conversation)) others(conversation)?.emit('typing:stop', { conversation, user: userId });
  };
  return {
    start(conversation) {
      const last = started.get(conversation) ?? Number.NEGATIVE_INFINITY;
      if (!socket.rooms.has(conversationRoom(conversation)) || performance.now() - last < MIN_REPEAT_INTERVAL_MS)
        return;
      started.set(conversation, performance.now());
      // The client may not have loaded all participants.
      const { firstName } = directory.summary(userId);
      others(conversation)?.emit('typing:start', { conversation, user: userId, firstName });
    },
    stop,
    stopAll: () => [...started.keys()].forEach(stop),
  };
}
