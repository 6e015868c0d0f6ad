import type { LiveNamespace } from '../sockets/socket-server.ts';
import type { RealtimeRedis } from './redis.ts';

/** What is subscribed to anew is not heard in the very moment. */
const ONCE_MORE_MS = 1_000;

/**
 * Has browsers ask again after pods could not tell each other: what was said meanwhile is not said again, and the last of it would stay
 * unknown until something else is said. A pod whose connections are back tells the sockets of all: its own have not heard others, and
 * those of others have not heard it. So whichever comes back last has everybody ask again.
 */
export function keepInSync(redis: RealtimeRedis, live: LiveNamespace): { close(): void } {
  let hasTalked = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  const tell = () => live.emit('resync');
  redis.onTalking(() => {
    // A pod that has just begun has no sockets that missed anything.
    const isStart = !hasTalked && live.sockets.size === 0;
    hasTalked = true;
    if (isStart) return;
    tell();
    clearTimeout(again);
    again = setTimeout(tell, ONCE_MORE_MS).unref();
  });
  return { close: () => clearTimeout(again) };
}
