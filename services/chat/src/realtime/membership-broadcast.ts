import type { Logger } from '@atrium/service-kit/observability/logger';
import type { ChatNamespace } from '../sockets/socket-server.ts';
import type { RealtimeRedis } from './redis.ts';

/** Moves the users' sockets into or out of the conversation's room, as the database says: on this pod, or on all reachable ones. */
export type SyncMembership = (
  conversationId: string,
  userIds: string[],
  where?: { everywhere?: boolean },
) => Promise<void>;

type Deps = {
  chat: ChatNamespace;
  redis: Pick<RealtimeRedis, 'isConnected'>;
  log: Logger;
  sync: SyncMembership;
};

const RETRY_DELAY_MS = 1_000;
/** Long enough for the change to reach every pod over NATS. */
const ACK_TIMEOUT_MS = 5_000;

/** Sends membership changes to all pods, and retries until every pod has acknowledged: a removal is never lost. */
export function createMembershipBroadcast({ chat, redis, log, sync }: Deps) {
  const pending = new Map<string, Set<string>>();
  chat.on('membership:sync', (conversationId, userIds, done) => {
    // Without an acknowledgment, the sender retries.
    sync(conversationId, userIds).then(done, (error) => log.warn({ err: error }, 'Failed to sync rooms'));
  });
  const broadcast = async (conversationId: string, userIds: string[]) => {
    await sync(conversationId, userIds);
    if (!redis.isConnected()) throw new Error('Not connected to Redis');
    try {
      await within(ACK_TIMEOUT_MS, chat.serverSideEmitWithAck('membership:sync', conversationId, userIds));
    } catch (error) {
      // The adapter may still reach a pod that does not acknowledge.
      await sync(conversationId, userIds, { everywhere: true });
      throw error;
    }
  };
  const attempt = async (conversationId: string, userIds: string[]): Promise<boolean> => {
    try {
      await broadcast(conversationId, userIds);
      return true;
    } catch (error) {
      log.debug({ err: error, conversationId }, 'Failed to sync rooms on all pods');
      return false;
    }
  };
  const retryPending = async () => {
    for (const [conversationId, userIds] of [...pending]) {
      pending.delete(conversationId);
      if (!(await attempt(conversationId, [...userIds]))) addPending(conversationId, [...userIds]);
    }
  };
  const addPending = (conversationId: string, userIds: string[]) => {
    pending.set(conversationId, new Set([...(pending.get(conversationId) ?? []), ...userIds]));
  };
  let isRetrying = false;
  const timer = setInterval(() => {
    if (isRetrying || pending.size === 0 || !redis.isConnected()) return;
    isRetrying = true;
    void retryPending().finally(() => {
      isRetrying = false;
    });
  }, RETRY_DELAY_MS).unref();
  return {
    async sync(conversationId: string, userIds: string[], { isLeaving }: { isLeaving: boolean }): Promise<void> {
      const startedAt = performance.now();
      if (await attempt(conversationId, userIds)) return;
      addPending(conversationId, userIds);
      const leftMs = startedAt + ACK_TIMEOUT_MS - performance.now();
      if (isLeaving) await new Promise((resolve) => setTimeout(resolve, Math.max(0, leftMs)));
    },
    close: () => clearInterval(timer),
  };
}

/** Needed because the adapter never settles a request that it could not send. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Not all pods acknowledged within ${ms} ms`)), ms);
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
