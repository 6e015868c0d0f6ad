import { MIN_REFETCH_INTERVAL_MS, WORKSPACE_TOPICS } from '@atrium/proto-events/live-updates/topics';
import { ALL_TOPICS, type LiveNamespace, topicRoom } from '../sockets/socket-server.ts';

const ROOMS = [...WORKSPACE_TOPICS, ALL_TOPICS].map(topicRoom);
const COUNT_INTERVAL_MS = 5_000;
const MAX_COUNT_AGE_MS = 1_000;
/** Clients reconnect within this time after a restart; until then, the interval is not reduced. */
const MIN_HOLD_MS = 60_000;

export type RefetchInterval = {
  pacing(): { minRefetchIntervalMs?: number };
  budget(windowMs: number): number;
  close(): void;
};

type RefetchIntervalOptions = {
  adapter: Pick<LiveNamespace['adapter'], 'rooms'>;
  countPods: () => Promise<number>;
  perSecond: number;
};

/** Assumes that browsers are evenly distributed over pods. Without Redis, the last known number of pods applies. */
export function createRefetchInterval({ adapter, countPods, perSecond }: RefetchIntervalOptions): RefetchInterval {
  let pods = 1;
  let minRefetchIntervalMs = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  let raisedAt = Number.NEGATIVE_INFINITY;
  const count = () => {
    countedAt = performance.now();
    const subscribers = new Set(ROOMS.flatMap((room) => [...(adapter.rooms.get(room) ?? [])])).size;
    const requiredIntervalMs = Math.ceil((subscribers * pods * 1_000) / perSecond);
    if (requiredIntervalMs < minRefetchIntervalMs && countedAt < raisedAt + MIN_HOLD_MS) return;
    minRefetchIntervalMs = requiredIntervalMs;
    raisedAt = countedAt;
  };
  const refresh = async () => {
    pods = Math.max(1, await countPods().catch(() => pods));
    count();
  };
  const timer = setInterval(() => void refresh(), COUNT_INTERVAL_MS).unref();
  return {
    pacing() {
      if (performance.now() > countedAt + MAX_COUNT_AGE_MS) count();
      return minRefetchIntervalMs > MIN_REFETCH_INTERVAL_MS ? { minRefetchIntervalMs } : {};
    },
    budget: (windowMs) => Math.ceil((perSecond * windowMs) / 1_000 / pods),
    close: () => clearInterval(timer),
  };
}
