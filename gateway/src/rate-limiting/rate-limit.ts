import type { Counter } from 'prom-client';
import type { Config } from '../config.ts';
import { type RateLimitStore, type RateLimitStores, WINDOW_SECONDS } from './rate-limit-store.ts';

export type RateLimiter = {
  /** Spends one point; answers the seconds to wait when there is none left, else 0. */
  spend(key: string): number;
  close(): void;
};

type Window = { spent: number; unsent: number; endsAt: number };

const SETTLE_MS = 200;
const MAX_WINDOWS = 50_000;

/**
 * So many points a minute for each key. Requests are counted here and settled with Redis a few times a second, not one by one: no
 * request waits for Redis, many gateways still share one budget (to within what they take in a fifth of a second), and with Redis
 * away each gateway goes on with its own count.
 */
export function createRateLimiter(
  points: number,
  store: RateLimitStore | undefined,
  onRefusal: () => void = () => undefined,
): RateLimiter {
  const windows = new Map<string, Window>();
  const unsettled = new Map<string, Window>();

  const settle = async (key: string, window: Window) => {
    if (!store) return;
    const sending = window.unsent;
    window.unsent = 0;
    try {
      const { consumedPoints, msBeforeNext } = await store.penalty(key, sending);
      window.spent = Math.max(window.spent, consumedPoints + window.unsent);
      window.endsAt = performance.now() + msBeforeNext;
    } catch {
      // Redis is away: this window goes on with what was counted here.
    }
  };
  const timer = setInterval(() => {
    const due = [...unsettled];
    unsettled.clear();
    for (const [key, window] of due) void settle(key, window);
    if (windows.size > MAX_WINDOWS / 2) forgetEnded(windows);
  }, SETTLE_MS).unref();

  return {
    spend(key) {
      const now = performance.now();
      let window = windows.get(key);
      if (!window || window.endsAt <= now) {
        if (windows.size >= MAX_WINDOWS) windows.delete(windows.keys().next().value ?? '');
        window = { spent: 0, unsent: 0, endsAt: now + WINDOW_SECONDS * 1000 };
        windows.set(key, window);
      }
      if (window.spent >= points) {
        onRefusal();
        return Math.max(1, Math.ceil((window.endsAt - now) / 1000));
      }
      window.spent += 1;
      window.unsent += 1;
      unsettled.set(key, window);
      return 0;
    },
    close: () => clearInterval(timer),
  };
}

function forgetEnded(windows: Map<string, Window>): void {
  const now = performance.now();
  for (const [key, window] of windows) {
    if (window.endsAt <= now) windows.delete(key);
  }
}

/** The budgets of this gateway, each with its own limit. */
export function createBudgets(config: Config, stores: RateLimitStores, refusals: Counter<'budget'>) {
  const budget = (name: string, points: number) => {
    refusals.inc({ budget: name }, 0);
    return createRateLimiter(points, stores.store(name), () => refusals.inc({ budget: name }));
  };
  return {
    user: budget('user', config.RATE_LIMIT_PER_USER),
    address: budget('address', config.RATE_LIMIT_PER_IP),
    signIn: budget('sign-in', config.RATE_LIMIT_SIGN_IN),
    refresh: budget('refresh', config.RATE_LIMIT_REFRESH),
    socket: budget('socket', config.RATE_LIMIT_SOCKET),
    download: budget('download', config.RATE_LIMIT_DOWNLOAD),
    feed: budget('feed', config.RATE_LIMIT_FEED),
    clientErrors: budget('client-errors', config.RATE_LIMIT_CLIENT_ERRORS),
  };
}

export type Budgets = ReturnType<typeof createBudgets>;
