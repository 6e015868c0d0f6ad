import type { LiveServerEvents } from '@atrium/proto-events/realtime';
import { getRetryAfterMs, isFinal } from '#lib/api/api-error.ts';
import { createDelayedTasks, SETTLE_MS } from '#lib/delayed-tasks.ts';
import { jitter } from '#lib/delays.ts';
import { type LiveSocket, liveSocket } from '#realtime/connection/socket.ts';
import { messageRangeOf } from '#realtime/message-range.ts';
import { hasMissedChanges, isBehind, withAnnouncedRevision, withKnownSeq } from './message-log.ts';
import { type MessageStore, messageStore } from './message-store.ts';
import { catchUp, catchUpChanges, type MessageSync } from './sync-messages.ts';

type GapDeps = { store: MessageStore; sync: Pick<MessageSync, 'catchUp' | 'catchUpChanges'>; live: LiveSocket };

const USER_DEPS: GapDeps = { store: messageStore, sync: { catchUp, catchUpChanges }, live: liveSocket };

/**
 * Fetches messages and changes whose events were lost or that are newer than a page. Waits briefly for out-of-order
 * messages from another pod; otherwise every open client would request them at once.
 */
export function fillGaps(open: string, { store, sync, live }: GapDeps = USER_DEPS): () => void {
  const { logOf } = store;
  const getMissingSeq = () => (isBehind(logOf(open)) ? logOf(open).lastKnownSeq : null);
  const getMissingRevision = () => (hasMissedChanges(logOf(open)) ? logOf(open).announcedRevision : null);
  const messages = createGapPoller({ getMissing: getMissingSeq, fetchMissing: () => sync.catchUp(open) });
  const changes = createGapPoller({ getMissing: getMissingRevision, fetchMissing: () => sync.catchUpChanges(open) });
  const check = () => {
    messages.check();
    changes.check();
  };
  const delayedTasks = createDelayedTasks(SETTLE_MS);
  let isCheckDue = false;
  const checkLater = () => {
    if (isCheckDue || (getMissingSeq() === null && getMissingRevision() === null)) return;
    isCheckDue = true;
    delayedTasks.after(() => {
      isCheckDue = false;
      check();
    });
  };
  const onChanged: LiveServerEvents['changed'] = ({ changes: liveChanges }) => {
    const ranges = liveChanges
      .flatMap((change) => messageRangeOf(change) ?? [])
      .filter(({ conversation }) => conversation === open);
    if (ranges.length === 0) return;
    const seq = Math.max(...ranges.map(({ lastSeq }) => lastSeq));
    const announcedRevision = Math.max(...ranges.map(({ revision }) => revision));
    // A change can be announced before its message arrives.
    delayedTasks.after(() => {
      store.applyToLog(open, (log) => withAnnouncedRevision(withKnownSeq(log, seq), announcedRevision));
      check();
    });
  };
  const unsubscribe = store.onLogsChange(checkLater);
  live.on('changed', onChanged);
  check();
  return () => {
    unsubscribe();
    live.off('changed', onChanged);
    for (const { stop } of [delayedTasks, messages, changes]) stop();
  };
}

const RETRY_MS = 10_000;

type GapPollerParams = {
  /** The end of the gap; null if there is none. */
  getMissing: () => number | null;
  fetchMissing: () => Promise<unknown>;
};

/** Sends another request immediately for a new gap, and after a delay if a request failed or did not close its gap. */
export function createGapPoller({ getMissing, fetchMissing }: GapPollerParams): {
  check: () => void;
  stop: () => void;
} {
  let isInFlight = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    const missing = getMissing();
    if (isStopped || isInFlight || timer !== undefined || missing === null) return;
    isInFlight = true;
    fetchMissing().then(
      () => checkAgain(missing, RETRY_MS),
      (error: unknown) => {
        if (!isFinal(error)) return checkAgain(null, Math.max(RETRY_MS, getRetryAfterMs(error) ?? 0));
        isInFlight = false;
      },
    );
  };
  const checkAgain = (requested: number | null, delayMs: number) => {
    isInFlight = false;
    const missing = getMissing();
    if (isStopped || missing === null) return;
    if (requested !== null && missing !== requested) return check();
    timer = setTimeout(() => {
      timer = undefined;
      check();
    }, jitter(delayMs));
  };
  return {
    check,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
