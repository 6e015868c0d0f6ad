import type { Tag } from '@atrium/proto-events/change-tags';
import type { Changes, LiveClientEvents } from '@atrium/proto-events/realtime';

type Response = Parameters<Parameters<LiveClientEvents['subscribe']>[1]>[0];

type SubscriptionParams = {
  selectTags: () => Tag[];
  isConnected: () => boolean;
  maxDataAgeMs: () => number;
  send: (payload: { tags: Tag[]; afterPosition?: string; maxAgeMs?: number }) => Promise<Response>;
  /** Applies the changes since the last position; null means they are unknown, and everything must be refetched. */
  applyMissed: (missed: Changes | null) => void;
};

export type Subscription = {
  syncNow: () => void;
  resubscribe: () => void;
  /** Records that all changes up to this position have arrived. */
  setPosition: (position: string) => void;
  stop: () => void;
};

/** Navigation removes the tags of one screen and adds those of the next. */
const NAVIGATION_MS = 50;
const RESYNC_MS = 60_000;
const RETRY_MS = 5_000;

/**
 * Each acknowledgment contains the changes since the last position, so that none is lost between a response and the
 * subscription, or while disconnected.
 */
export function createSubscription({
  selectTags,
  isConnected,
  maxDataAgeMs,
  send,
  applyMissed,
}: SubscriptionParams): Subscription {
  let position: string | undefined;
  /** The position up to which changes arrived for the previous tags; later positions do not cover the new ones. */
  let replayFrom: string | undefined;
  /** Whether queries were observed before the first position, which may not cover their responses. */
  let isUncovered = false;
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
    const tags = selectTags();
    const tagsKey = tags.join();
    if (isSyncing || !isConnected()) return;
    if (tagsKey === subscribedKey) {
      replayFrom = undefined;
      isUncovered = false;
      return;
    }
    isSyncing = true;
    const requestConnection = connection;
    const replayPosition = isUncovered ? undefined : (replayFrom ?? position);
    replayFrom = undefined;
    isUncovered = false;
    // Without a response, the server may have replaced the tags nevertheless.
    subscribedKey = undefined;
    const response = await send({
      tags,
      ...(replayPosition === undefined ? { maxAgeMs: maxDataAgeMs() } : { afterPosition: replayPosition }),
    }).catch(() => null);
    isSyncing = false;
    if (isStopped) return;
    // An acknowledgment on a previous connection does not count; a rejected subscription is retried.
    if (requestConnection !== connection || !response?.ok) {
      replayFrom = replayPosition;
      isUncovered = replayPosition === undefined;
      if (requestConnection !== connection) void sync();
      else scheduleSync(RETRY_MS);
      return;
    }
    const { changes, position: receivedUntil, ...people } = response.data;
    applyMissed(changes && { changes, ...people });
    subscribedKey = tagsKey;
    position = receivedUntil;
    scheduleSync(selectTags().join() === subscribedKey ? RESYNC_MS : NAVIGATION_MS);
  };
  return {
    syncNow() {
      if (position === undefined) isUncovered = true;
      else replayFrom ??= position;
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
