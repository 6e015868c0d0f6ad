import type { LiveClientEvents, ReplayedChange, Topic } from '@atrium/proto-events/realtime';

type Response = Parameters<Parameters<LiveClientEvents['subscribe']>[1]>[0];

type SyncTopicsParams = {
  selectTopics: () => Topic[];
  isConnected: () => boolean;
  maxDataAgeMs: () => number;
  send: (payload: { topics: Topic[]; afterPosition?: string; maxAgeMs?: number }) => Promise<Response>;
  /** Applies the changes since the last position; null means they are unknown, and everything must be refetched. */
  applyReplayed: (changes: ReplayedChange[] | null, pacing: { minRefetchIntervalMs?: number }) => void;
};

export type TopicSync = {
  syncNow: () => void;
  resubscribe: () => void;
  /** Records that all changes up to this position have arrived. */
  setPosition: (position: string) => void;
  stop: () => void;
};

/** Navigation removes the topics of one screen and adds those of the next. */
const NAVIGATION_MS = 50;
const RESYNC_MS = 60_000;
const RETRY_MS = 5_000;

/**
 * Each acknowledgment contains the changes since the last position, so that none is lost between a response and the
 * subscription, or while disconnected.
 */
export function createTopicSync({
  selectTopics,
  isConnected,
  maxDataAgeMs,
  send,
  applyReplayed,
}: SyncTopicsParams): TopicSync {
  let position: string | undefined;
  /** The position up to which changes arrived for the previous topics; later positions do not cover the new ones. */
  let replayFrom: string | undefined;
  let subscribedKey: string | undefined;
  let isStopped = false;
  let connection = 0;
  let isSyncing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const scheduleSync = (ms: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(sync, ms);
  };
  const sync = async () => {
    scheduleSync(RESYNC_MS);
    const topics = selectTopics();
    const topicsKey = topics.join();
    if (isSyncing || !isConnected()) return;
    if (topicsKey === subscribedKey) {
      replayFrom = undefined;
      return;
    }
    isSyncing = true;
    const requestConnection = connection;
    const replayPosition = replayFrom ?? position;
    replayFrom = undefined;
    const response = await send({
      topics,
      ...(replayPosition === undefined ? { maxAgeMs: maxDataAgeMs() } : { afterPosition: replayPosition }),
    }).catch(() => null);
    isSyncing = false;
    if (isStopped) return;
    // An acknowledgment on a previous connection does not count; a rejected subscription is retried.
    if (requestConnection !== connection || !response?.ok) {
      replayFrom = replayPosition;
      if (requestConnection !== connection) void sync();
      else scheduleSync(RETRY_MS);
      return;
    }
    subscribedKey = topicsKey;
    const { changes, position: replayedUntil, ...pacing } = response.data;
    position = replayedUntil;
    applyReplayed(changes, pacing);
    scheduleSync(selectTopics().join() === subscribedKey ? RESYNC_MS : NAVIGATION_MS);
  };
  return {
    syncNow() {
      replayFrom ??= position;
      scheduleSync(NAVIGATION_MS);
    },
    resubscribe() {
      connection += 1;
      subscribedKey = undefined;
      replayFrom ??= position;
      void sync();
    },
    setPosition(next) {
      // A position before the first acknowledgment would skip earlier changes.
      if (position !== undefined) position = next;
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
