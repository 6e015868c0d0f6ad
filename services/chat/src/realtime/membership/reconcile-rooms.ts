import type { Logger } from '@atrium/service-kit/observability/logger';
import type { RealtimeRedis } from '../redis.ts';

/** Blocks the event loop for about 10 ms. */
export const USERS_PER_SLICE = 25;
const RETRY_DELAY_MS = 5_000;

type Deps = {
  redis: Pick<RealtimeRedis, 'onConnectionChange'>;
  listConnectedUsers: () => string[];
  reconcile: (userIds: string[]) => Promise<void>;
  log: Logger;
};

/**
 * Reconciles the rooms of all sockets on this pod with the database, once when Redis is lost and once when it is back. In between,
 * membership changes arrive over NATS. A pause as long as the slice follows each slice, so that it uses at most half of the event loop
 * and of one database connection.
 */
export function reconcileRooms({ redis, listConnectedUsers, reconcile, log }: Deps) {
  let requested = 0;
  let completed = 0;
  let isRunning = false;
  let isClosed = false;
  const reconcileSlice = async (userIds: string[]): Promise<void> => {
    while (!isClosed) {
      const startedAt = performance.now();
      try {
        await reconcile(userIds);
        return await pause(performance.now() - startedAt);
      } catch (error) {
        log.warn({ err: error }, 'Failed to reconcile rooms');
        await pause(RETRY_DELAY_MS);
      }
    }
  };
  const run = async () => {
    while (!isClosed && completed < requested) {
      const target = requested;
      const userIds = listConnectedUsers();
      for (let at = 0; at < userIds.length; at += USERS_PER_SLICE) {
        await reconcileSlice(userIds.slice(at, at + USERS_PER_SLICE));
      }
      completed = target;
    }
    isRunning = false;
  };
  redis.onConnectionChange(() => {
    requested += 1;
    if (isRunning) return;
    isRunning = true;
    void run();
  });
  return {
    close() {
      isClosed = true;
    },
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
