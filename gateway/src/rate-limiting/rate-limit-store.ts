import type { Logger } from '@atrium/service-kit/observability/logger';
import type { HealthCheck } from '@atrium/service-kit/process/health';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

/** Keeps count, over all gateways, of what was spent. */
export type RateLimitStore = Pick<RateLimiterRedis, 'penalty'>;

export type RateLimitStores = {
  /** The store of one kind of budget; none without Redis, where each gateway counts for itself. */
  store(name: string): RateLimitStore | undefined;
  checks: HealthCheck[];
  close(): void;
};

/** The time a budget is for. */
export const WINDOW_SECONDS = 60;

/** RateLimitStores in Redis. While Redis is away every call fails at once, and it comes back by itself. */
export function connectRateLimitStores(url: string | undefined, prefix: string, log: Logger): RateLimitStores {
  if (url === undefined) return { store: () => undefined, checks: [], close: () => undefined };
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 1_000,
    // Of a Redis that has died without a word.
    socketTimeout: 3_000,
    connectTimeout: 3_000,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2_000),
  });
  reportOutages(redis, log);
  return {
    store: (name) =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `${prefix}:rate:${name}`,
        points: Number.MAX_SAFE_INTEGER,
        duration: WINDOW_SECONDS,
        rejectIfRedisNotReady: true,
      }),
    checks: [{ name: 'redis', essential: false, check: async () => void (await redis.ping()) }],
    close: () => redis.disconnect(),
  };
}

function reportOutages(redis: Redis, log: Logger): void {
  let away = false;
  redis.on('error', (error) => {
    if (!away) log.warn({ err: error }, 'Redis is away; this gateway counts requests for itself');
    away = true;
  });
  redis.on('ready', () => {
    away = false;
  });
}
