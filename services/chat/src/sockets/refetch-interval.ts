import { MIN_REFETCH_INTERVAL_MS, WORKSPACE_TOPICS } from '@atrium/proto-events/topics';
import { ALL_TOPICS, topicRoom } from '../realtime/rooms.ts';
import type { LiveNamespace } from './socket-server.ts';

const ROOMS = [...WORKSPACE_TOPICS, ALL_TOPICS].map(topicRoom);
const COUNT_EVERY_MS = 5_000;
const COUNT_AGAIN_MS = 1_000;
/** Whom a restart has scattered is back by then: until so much has passed they are counted as if they were here. */
const REMEMBER_MS = 60_000;

export type Pace = {
  /** How long a browser has to leave between two questions for lists of everything, to be told with the news of them; nothing for the usual. */
  told(): { minRefetchIntervalMs?: number };
  /** How many browsers of this pod may ask for a list of theirs within so many milliseconds; one at least. */
  turns(withinMs: number): number;
  close(): void;
};

type Given = {
  adapter: Pick<LiveNamespace['adapter'], 'rooms'>;
  /** How many pods with sockets there are. */
  countPods: () => Promise<number>;
  perSecond: number;
};

/**
 * However many browsers show lists of everything, together they ask `perSecond` times a second. Pods share browsers evenly, so each
 * takes its own times the number of pods for all, of which those for files alone are none (the adapter counts them); while Redis is away,
 * for as many pods as there were.
 */
export function createRefetchInterval({ adapter, countPods, perSecond }: Given): Pace {
  let pods = 1;
  let minRefetchIntervalMs = 0;
  let [countedAt, crowdedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const count = () => {
    countedAt = performance.now();
    const showing = new Set(ROOMS.flatMap((room) => [...(adapter.rooms.get(room) ?? [])])).size;
    const now = Math.ceil((showing * pods * 1_000) / perSecond);
    if (now < minRefetchIntervalMs && countedAt < crowdedAt + REMEMBER_MS) return;
    [minRefetchIntervalMs, crowdedAt] = [now, countedAt];
  };
  const round = async () => {
    pods = Math.max(1, await countPods().catch(() => pods));
    count();
  };
  const timer = setInterval(() => void round(), COUNT_EVERY_MS).unref();
  return {
    told() {
      if (performance.now() > countedAt + COUNT_AGAIN_MS) count();
      return minRefetchIntervalMs > MIN_REFETCH_INTERVAL_MS ? { minRefetchIntervalMs } : {};
    },
    turns: (withinMs) => Math.ceil((perSecond * withinMs) / 1_000 / pods),
    close: () => clearInterval(timer),
  };
}
