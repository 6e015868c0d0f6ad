import { createTokenBucket } from './token-bucket.ts';

/** What one person may send on all their sockets of this pod together, on both namespaces. */
export type EventBudget = {
  /** Takes one event; false when it is to be refused. */
  take(): boolean;
  /** Whether so much was refused that the sockets are to be closed. */
  isFlooding(): boolean;
};

export type EventBudgets = { of(userId: string): EventBudget; close(): void };

/** Long after a bucket is full again: who leaves and comes back meanwhile finds what they have left. */
const FORGET_AFTER_MS = 60_000;

/**
 * Of each pod alone, because a question to Redis for each event would cost everybody more than it saves: a person with sockets on three
 * pods may send three times as much.
 */
export function createEventBudgets(perMinute: number): EventBudgets {
  const known = new Map<string, EventBudget & { usedAt: number }>();
  const timer = setInterval(() => {
    const old = performance.now() - FORGET_AFTER_MS;
    for (const [userId, { usedAt }] of known) if (usedAt < old) known.delete(userId);
  }, FORGET_AFTER_MS).unref();
  return {
    of(userId) {
      const budget = known.get(userId) ?? { ...createBudget(perMinute), usedAt: 0 };
      budget.usedAt = performance.now();
      known.set(userId, budget);
      return budget;
    },
    close: () => clearInterval(timer),
  };
}

/** Refusals are counted as events are: as many again as are allowed, and then it is enough. */
function createBudget(perMinute: number): EventBudget {
  const take = createTokenBucket(perMinute);
  const takeRefusal = createTokenBucket(perMinute);
  let flooding = false;
  return {
    take() {
      const isAllowed = take();
      flooding = !isAllowed && !takeRefusal();
      return isAllowed;
    },
    isFlooding: () => flooding,
  };
}
