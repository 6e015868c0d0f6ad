import type { Presence } from '../presence/presence.ts';
import type { LiveNamespace } from '../sockets/socket-server.ts';
import type { RealtimeRedis } from './redis.ts';

/** What is subscribed to anew is not heard in the very moment. */
const ONCE_MORE_MS = 1_000;

/**
 * Has browsers ask again after pods could not tell each other: what was said meanwhile is not said again, and the last of it would stay
 * unknown until something else is said. A pod whose connections are back tells the sockets of all: its own have not heard others, and
 * those of others have not heard it. So whichever comes back last has everybody ask again. Who is here is written down before, each time:
 * otherwise they would be told that everybody on this pod is offline.
 */
export function resyncAfterRedisOutage(
  redis: Pick<RealtimeRedis, 'onTalking'>,
  live: Pick<LiveNamespace, 'sockets' | 'emit'>,
  presence: Pick<Presence, 'refresh'>,
): { close(): void } {
  let hasTalked = false;
  let isClosed = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  const tell = async () => {
    await presence.refresh();
    if (!isClosed) live.emit('resync');
  };
  redis.onTalking(() => {
    // A pod that has just begun has no sockets that missed anything.
    const isStart = !hasTalked && live.sockets.size === 0;
    hasTalked = true;
    if (isStart) return void presence.refresh();
    void tell();
    clearTimeout(again);
    again = setTimeout(() => void tell(), ONCE_MORE_MS).unref();
  });
  return {
    close() {
      isClosed = true;
      clearTimeout(again);
    },
  };
}
