import type { Logger } from '@atrium/service-kit/observe/logger';
import type { RealtimeRedis } from './redis.ts';

/** While Redis is away, how often the sockets' rooms are compared with the database. */
const COMPARE_MS = 1_000;

/** Other pods are not heard without Redis, and what they said meanwhile is not said again. */
export function keepComparing(
  redis: Pick<RealtimeRedis, 'listening' | 'onListening'>,
  compare: () => Promise<void>,
  log: Logger,
) {
  let behind = false;
  let running = false;
  /** How often others were not heard: what began before the last time has not seen what they said then. */
  let losses = 0;
  const round = async ({ isLast }: { isLast: boolean }) => {
    if (running) return;
    running = true;
    const begun = losses;
    try {
      await compare();
      if (isLast && begun === losses && redis.listening()) behind = false;
    } catch (error) {
      log.warn({ err: error }, 'rooms could not be compared with the database');
    } finally {
      running = false;
    }
  };
  redis.onListening(() => {
    // At once, and once more with the timer: what is subscribed to anew is not heard in the very moment.
    behind = true;
    losses += 1;
    void round({ isLast: false });
  });
  const timer = setInterval(() => {
    if (!redis.listening()) behind = true;
    if (behind) void round({ isLast: redis.listening() });
  }, COMPARE_MS).unref();
  return {
    /** Whether this pod may not know yet who has left. */
    isBehind: () => behind || !redis.listening(),
    close: () => clearInterval(timer),
  };
}
