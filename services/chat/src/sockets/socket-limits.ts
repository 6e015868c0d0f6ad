import { MOST_SOCKETS } from '@atrium/proto-events/realtime';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { RealtimeRedis } from '../realtime/redis.ts';

/** How many sockets each person has in each namespace, over all pods; without Redis on this pod. */
export type SocketCounts = {
  /** Counts one more, or answers that there are enough. */
  take(namespace: string, userId: string): Promise<boolean>;
  release(namespace: string, userId: string): void;
  close(): void;
};

/**
 * Those of other pods that gave a sign of life, with this pod's own, which are known here. To count is a sign of life, too: another pod
 * must not overlook a fresh one.
 */
const TAKE = `
local pods, base, own, field, mine, most = KEYS[1], KEYS[2], ARGV[1], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local alive = now - tonumber(ARGV[2])
redis.call('ZADD', pods, now, own)
local count = mine
for _, pod in ipairs(redis.call('ZRANGEBYSCORE', pods, alive, '+inf')) do
  if pod ~= own then count = count + tonumber(redis.call('HGET', base .. pod, field) or 0) end
end
if count > most then return 0 end
redis.call('HSET', base .. own, field, ARGV[6])
redis.call('PEXPIRE', base .. own, ARGV[2] * 10)
return 1`;

type Pod = { id: string; lifeMs: number };

/**
 * The newest socket is refused rather than the oldest closed: clients of either kind come back, and of two that close each other neither
 * would ever stay.
 */
export function createSocketCounts({ commands, prefix }: RealtimeRedis, pod: Pod, log: Logger): SocketCounts {
  const here = new Map<string, number>();
  const base = `${prefix}:sockets:`;
  const own = base + pod.id;
  const alone = (error: unknown) => log.debug({ err: error }, 'sockets are counted on this pod alone');
  const change = (field: string, by: number) => {
    const count = (here.get(field) ?? 0) + by;
    if (count > 0) here.set(field, count);
    else here.delete(field);
    return count;
  };
  const ask = (field: string, mine: number) => {
    const given = [pod.id, pod.lifeMs, field, mine, MOST_SOCKETS, here.get(field) ?? mine];
    return commands.eval(TAKE, 2, `${prefix}:presence:pods`, base, ...given);
  };
  // No answer in time is also what a process hears that stood still itself, with the answer before its door. A Redis that is away fails
  // this at once.
  const askAgain = (field: string, mine: number) => (error: unknown) => {
    if (commands.status !== 'ready') throw error;
    return ask(field, mine);
  };
  const release = (field: string) => {
    const count = change(field, -1);
    void (count > 0 ? commands.hset(own, field, count) : commands.hdel(own, field)).catch(alone);
  };
  // Written anew each time, as presence is: Redis may have come back empty, or been away when somebody left.
  const beat = async () => {
    const anew = commands.multi().del(own);
    if (here.size > 0) anew.hset(own, Object.fromEntries(here)).pexpire(own, pod.lifeMs * 10);
    await anew.exec();
  };
  const timer = setInterval(() => void beat().catch(alone), pod.lifeMs / 3).unref();
  return {
    async take(namespace, userId) {
      const field = `${namespace}:${userId}`;
      if ((here.get(field) ?? 0) >= MOST_SOCKETS) return false;
      const mine = change(field, 1);
      const answer = await ask(field, mine).catch(askAgain(field, mine)).catch(alone);
      if (answer !== 0) return true;
      release(field);
      return false;
    },
    release: (namespace, userId) => release(`${namespace}:${userId}`),
    close: () => clearInterval(timer),
  };
}
