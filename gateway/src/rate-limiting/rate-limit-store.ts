import type { Logger } from '@atrium/service-kit/observability/logger';
import type { HealthCheck } from '@atrium/service-kit/process/health';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

/** Shared counters of all gateways. */
export type RateLimitStore = Pick<RateLimiterRedis, 'penalty'>;

export type RateLimitStores = {
  /** Undefined without Redis: each gateway then counts on its own. */
  store(name: string): RateLimitStore | undefined;
  checks: HealthCheck[];
  close(): void;
};

export const WINDOW_SECONDS = 60;

/** Connects the stores. While Redis is unavailable, every call fails immediately; the connection recovers automatically. */
export function connectRateLimitStores(url: string | undefined, prefix: string, log: Logger): RateLimitStores {
  if (url === undefined) return { store: () => undefined, checks: [], close: () => undefined };
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 1_000,
    // Detects a Redis that stops responding.
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
  let isUnavailable = false;
  redis.on('error', (error) => {
    if (!isUnavailable) log.warn({ err: error }, 'Redis is unavailable, rate limits apply per gateway');
    isUnavailable = true;
  });
  redis.on('ready', () => {
    isUnavailable = false;
  });
}
