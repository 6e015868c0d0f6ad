import { MAX_SOCKETS } from '@atrium/proto-events/realtime';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { RealtimeRedis } from '../realtime/redis.ts';

/** Limits the sockets per user and namespace over all pods; without Redis, per pod. */
export type SocketLimits = {
  /** Returns false if the limit is reached. */
  take(namespace: string, userId: string): Promise<boolean>;
  release(namespace: string, userId: string): void;
  close(): void;
};

/**
 * Adds the counts of live pods to this pod's own. Also renews the heartbeat, so that other pods do not overlook a new pod.
 */
const TAKE = `
local pods, base, own, field, mine, max_sockets = KEYS[1], KEYS[2], ARGV[1], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local alive = now - tonumber(ARGV[2])
redis.call('ZADD', pods, now, own)
local count = mine
for _, pod in ipairs(redis.call('ZRANGEBYSCORE', pods, alive, '+inf')) do
  if pod ~= own then count = count + tonumber(redis.call('HGET', base .. pod, field) or 0) end
end
if count > max_sockets then return 0 end
redis.call('HSET', base .. own, field, ARGV[6])
redis.call('PEXPIRE', base .. own, ARGV[2] * 10)
return 1`;

type Pod = { id: string; lifeMs: number };

/**
 * Rejects the newest socket instead of closing the oldest: both clients would reconnect, and keep closing each other.
 */
export function createSocketLimits({ commands, prefix }: RealtimeRedis, pod: Pod, log: Logger): SocketLimits {
  const localCounts = new Map<string, number>();
  const base = `${prefix}:sockets:`;
  const own = base + pod.id;
  const logFailure = (error: unknown) => log.debug({ err: error }, 'Failed to count sockets over all pods');
  const change = (field: string, by: number) => {
    const total = (localCounts.get(field) ?? 0) + by;
    if (total > 0) localCounts.set(field, total);
    else localCounts.delete(field);
    return total;
  };
  const count = (field: string, mine: number) => {
    const args = [pod.id, pod.lifeMs, field, mine, MAX_SOCKETS, localCounts.get(field) ?? mine];
    return commands.eval(TAKE, 2, `${prefix}:presence:pods`, base, ...args);
  };
  // A process that was paused times out although Redis has responded. Without Redis, the retry fails immediately.
  const retryCount = (field: string, mine: number) => (error: unknown) => {
    if (commands.status !== 'ready') throw error;
    return count(field, mine);
  };
  const release = (field: string) => {
    const total = change(field, -1);
    void (total > 0 ? commands.hset(own, field, total) : commands.hdel(own, field)).catch(logFailure);
  };
  // Rewritten each time: Redis may have restarted empty, or been unavailable when a socket disconnected.
  const beat = async () => {
    const transaction = commands.multi().del(own);
    if (localCounts.size > 0) transaction.hset(own, Object.fromEntries(localCounts)).pexpire(own, pod.lifeMs * 10);
    await transaction.exec();
  };
  const timer = setInterval(() => void beat().catch(logFailure), pod.lifeMs / 3).unref();
  return {
    async take(namespace, userId) {
      const field = `${namespace}:${userId}`;
      if ((localCounts.get(field) ?? 0) >= MAX_SOCKETS) return false;
      const mine = change(field, 1);
      const reply = await count(field, mine).catch(retryCount(field, mine)).catch(logFailure);
      if (reply !== 0) return true;
      release(field);
      return false;
    },
    release: (namespace, userId) => release(`${namespace}:${userId}`),
    close: () => clearInterval(timer),
  };
}
