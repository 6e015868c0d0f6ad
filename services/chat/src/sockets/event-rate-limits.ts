/** Applies to all sockets of a user on this pod, in both namespaces. */
export type EventRateLimit = {
  take(): boolean;
  isFlooding(): boolean;
};

export type EventRateLimits = { get(userId: string): EventRateLimit; close(): void };

/** Exceeds the time that a bucket takes to refill. */
const EVICT_AFTER_MS = 60_000;

/** Limits events per pod, because a Redis request per event would cost more than it saves. */
export function createEventRateLimits(perMinute: number): EventRateLimits {
  const byUser = new Map<string, EventRateLimit & { usedAt: number }>();
  const timer = setInterval(() => {
    const oldestUsedAt = performance.now() - EVICT_AFTER_MS;
    for (const [userId, { usedAt }] of byUser) if (usedAt < oldestUsedAt) byUser.delete(userId);
  }, EVICT_AFTER_MS).unref();
  return {
    get(userId) {
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

/** Allows bursts of a tenth of `perMinute`. The returned function takes a token, and returns false if there is none. */
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
