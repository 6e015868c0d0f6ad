import type { Logger } from '@atrium/service-kit/observability/logger';
import type { HealthCheck } from '@atrium/service-kit/process/health';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { Counter } from 'prom-client';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Config } from '../config.ts';

type RateLimiter = {
  /** Returns the seconds to wait, 0 if allowed. */
  consume(key: string): number;
  close(): void;
};

type Window = { consumedCount: number; unsentCount: number; endsAt: number };

const WINDOW_SECONDS = 60;
const SYNC_INTERVAL_MS = 200;
const MAX_WINDOWS = 50_000;

/** Counts locally and syncs with Redis every 200 ms, so that no request waits for Redis. */
function createRateLimiter(points: number, store: RateLimitStore | undefined, onRejected: () => void): RateLimiter {
  const windows = new LRUCache<string, Window>({ max: MAX_WINDOWS });
  const unsynced = new Map<string, Window>();

  const sync = async (key: string, window: Window) => {
    if (!store) return;
    const sentCount = window.unsentCount;
    window.unsentCount = 0;
    try {
      const { consumedPoints, msBeforeNext } = await store.penalty(key, sentCount);
      window.consumedCount = Math.max(window.consumedCount, consumedPoints + window.unsentCount);
      window.endsAt = performance.now() + msBeforeNext;
    } catch {
      // Redis is unavailable: keep the local count.
    }
  };
  const timer = setInterval(() => {
    const dueWindows = [...unsynced];
    unsynced.clear();
    for (const [key, window] of dueWindows) void sync(key, window);
  }, SYNC_INTERVAL_MS).unref();

  return {
    consume(key) {
      const now = performance.now();
      let window = windows.get(key);
      if (!window || window.endsAt <= now) {
        window = { consumedCount: 0, unsentCount: 0, endsAt: now + WINDOW_SECONDS * 1000 };
        windows.set(key, window);
      }
      if (window.consumedCount >= points) {
        onRejected();
        return Math.max(1, Math.ceil((window.endsAt - now) / 1000));
      }
      window.consumedCount += 1;
      window.unsentCount += 1;
      unsynced.set(key, window);
      return 0;
    },
    close: () => clearInterval(timer),
  };
}

export function createRateLimiters(config: Config, stores: RateLimitStores, rejections: Counter<'budget'>) {
  const createLimiter = (name: string, points: number) => {
    rejections.inc({ budget: name }, 0);
    return createRateLimiter(points, stores.createStore(name), () => rejections.inc({ budget: name }));
  };
  return {
    user: createLimiter('user', config.RATE_LIMIT_PER_USER),
    address: createLimiter('address', config.RATE_LIMIT_PER_IP),
    signIn: createLimiter('sign-in', config.RATE_LIMIT_SIGN_IN),
    refresh: createLimiter('refresh', config.RATE_LIMIT_REFRESH),
    socket: createLimiter('socket', config.RATE_LIMIT_SOCKET),
    download: createLimiter('download', config.RATE_LIMIT_DOWNLOAD),
    feed: createLimiter('feed', config.RATE_LIMIT_FEED),
    clientErrors: createLimiter('client-errors', config.RATE_LIMIT_CLIENT_ERRORS),
  };
}

export type RateLimiters = ReturnType<typeof createRateLimiters>;

type RateLimitStore = Pick<RateLimiterRedis, 'penalty'>;

type RateLimitStores = {
  createStore(name: string): RateLimitStore | undefined;
  checks: HealthCheck[];
  close(): void;
};

/** Without Redis, calls fail immediately; the connection recovers automatically. */
export function connectRateLimitStores(url: string | undefined, prefix: string, log: Logger): RateLimitStores {
  if (url === undefined) return { createStore: () => undefined, checks: [], close: () => undefined };
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
    createStore: (name) =>
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
