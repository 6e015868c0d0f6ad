import type { Logger } from '@atrium/service-kit/logger';
import type { RealtimeRedis } from './redis.ts';

/** While Redis is away, how often the sockets' rooms are compared with the database. */
const COMPARE_MS = 1_000;

/** Other pods are not heard without Redis, and what they said meanwhile is not said again. */
export function keepComparing(redis: RealtimeRedis, compare: () => Promise<void>, log: Logger) {
  let behind = false;
  const round = () =>
    compare().catch((error) => log.warn({ err: error }, 'rooms could not be compared with the database'));
  redis.onListening(() => void round());
  const timer = setInterval(() => {
    if (redis.listening() && !behind) return;
    const wasListening = redis.listening();
    behind = true;
    // Once more when it is back: what is subscribed to anew is not heard in the very moment.
    void round().then(() => {
      if (wasListening && redis.listening()) behind = false;
    });
  }, COMPARE_MS).unref();
  return {
    /** Whether this pod may not know yet who has left. */
    isBehind: () => behind || !redis.listening(),
    close: () => clearInterval(timer),
  };
}
