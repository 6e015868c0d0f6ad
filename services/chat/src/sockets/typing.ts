import type { Directory } from '@atrium/service-kit/directory/directory';
import { LARGE_ROOM_SIZE } from './broadcaster.ts';
import { type ChatNamespace, type ChatSocket, conversationRoom, userRoom } from './socket-server.ts';

/** Applies per conversation and thread; clients show the indicator for a few seconds. */
const MIN_REPEAT_INTERVAL_MS = 1_000;

/** Per socket, because the ids of threads are not looked up. */
const MAX_PLACES = 20;

type Place = { conversation: string; thread?: string | undefined };
type Started = { place: Place; at: number };
export type Typing = { start(place: Place): void; stop(place: Place): void; stopAll(): void };

const keyOf = ({ conversation, thread = '' }: Place) => `${conversation} ${thread}`;

/**
 * Slow connections skip starts, which are volatile. They receive ends: of two volatile events in a row, a socket that is
 * still writing the first skips the second.
 */
export function createTyping(chat: ChatNamespace, socket: ChatSocket, directory: Pick<Directory, 'summary'>): Typing {
  const { userId } = socket.data.caller;
  const started = new Map<string, Started>();
  const selectOthers = (conversation: string) => {
    const room = conversationRoom(conversation);
    return (chat.adapter.rooms.get(room)?.size ?? 0) > LARGE_ROOM_SIZE ? null : chat.to(room).except(userRoom(userId));
  };
  const present = ({ conversation, thread }: Place) => ({
    conversation,
    ...(thread !== undefined && { thread }),
    user: userId,
  });
  const stop = (place: Place) => {
    if (started.delete(keyOf(place))) selectOthers(place.conversation)?.emit('typing:stop', present(place));
  };
  return {
    start(place) {
      const key = keyOf(place);
      const lastStartedAt = started.get(key)?.at ?? Number.NEGATIVE_INFINITY;
      const isInRoom = socket.rooms.has(conversationRoom(place.conversation));
      if (!isInRoom || performance.now() - lastStartedAt < MIN_REPEAT_INTERVAL_MS) return;
      // Moved to the end, so that the first one is the oldest.
      started.delete(key);
      started.set(key, { place, at: performance.now() });
      // The client may not have loaded all participants.
      const { firstName } = directory.summary(userId);
      selectOthers(place.conversation)?.volatile.emit('typing:start', { ...present(place), firstName });
      const [oldest] = started.values();
      if (oldest && started.size > MAX_PLACES) stop(oldest.place);
    },
    stop,
    stopAll() {
      for (const { place } of [...started.values()]) stop(place);
    },
  };
}
