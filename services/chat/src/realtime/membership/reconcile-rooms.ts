import type { Logger } from '@atrium/service-kit/observability/logger';
import type { RealtimeRedis } from '../redis.ts';

/** Few enough that a slice holds the event loop for some ten milliseconds. */
export const USERS_PER_SLICE = 25;
const RETRY_DELAY_MS = 5_000;

type Parts = {
  redis: Pick<RealtimeRedis, 'onConnectionChange'>;
  listConnectedUsers: () => string[];
  reconcile: (userIds: string[]) => Promise<void>;
  log: Logger;
};

/**
 * Reconciles the rooms of all sockets on this pod with the database, once when Redis is lost and once when it is back. In between, changes
 * of membership arrive over NATS. Each slice is followed by a pause as long as it took, so that at most half of the event loop and of one
 * database connection is used.
 */
export function reconcileRooms({ redis, listConnectedUsers, reconcile, log }: Parts) {
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
