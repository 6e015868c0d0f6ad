/** For all sockets of a user on this pod, in both namespaces. */
export type EventRateLimit = {
  take(): boolean;
  isFlooding(): boolean;
};

export type EventRateLimits = { of(userId: string): EventRateLimit; close(): void };

/** Longer than a bucket takes to refill. */
const EVICT_AFTER_MS = 60_000;

/** Per pod, because a Redis request per event would cost more than it saves. */
export function createEventRateLimits(perMinute: number): EventRateLimits {
  const byUser = new Map<string, EventRateLimit & { usedAt: number }>();
  const timer = setInterval(() => {
    const old = performance.now() - EVICT_AFTER_MS;
    for (const [userId, { usedAt }] of byUser) if (usedAt < old) byUser.delete(userId);
  }, EVICT_AFTER_MS).unref();
  return {
    of(userId) {
      const rateLimit = byUser.get(userId) ?? { ...createRateLimit(perMinute), usedAt: 0 };
      rateLimit.usedAt = performance.now();
      byUser.set(userId, rateLimit);
      return rateLimit;
    },
    close: () => clearInterval(timer),
  };
}

function createRateLimit(perMinute: number): EventRateLimit {
  const take = createTokenBucket(perMinute);
  const takeRejection = createTokenBucket(perMinute);
  let isFlooding = false;
  return {
    take() {
      const isAllowed = take();
      isFlooding = !isAllowed && !takeRejection();
      return isAllowed;
    },
    isFlooding: () => isFlooding,
  };
}

/** In bursts of a tenth of `perMinute`. The returned function takes a token. */
export function createTokenBucket(perMinute: number, now = () => performance.now()): () => boolean {
  const capacity = Math.max(1, perMinute / 10);
  let tokens = capacity;
  let updatedAt = now();
  return () => {
    const time = now();
    tokens = Math.min(capacity, tokens + ((time - updatedAt) * perMinute) / 60_000);
    updatedAt = time;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
