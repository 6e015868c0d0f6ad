import type { Change, LiveServerEvents } from '@atrium/proto-events/realtime';
import { createDelayedTasks, REORDER_WAIT_MS } from '#lib/delayed-tasks.ts';
import { createCatchUpPoller } from '#lib/poll-until-complete.ts';
import { type LiveSocket, liveSocket } from '#realtime/connection/socket.ts';
import { messageRangeOf, replyRangeOf } from '#realtime/message-range.ts';
import { getRootOfLog } from './log-id.ts';
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
  const messages = createCatchUpPoller({ getMissing: getMissingSeq, fetchMissing: () => sync.catchUp(open) });
  const changes = createCatchUpPoller({
    getMissing: getMissingRevision,
    fetchMissing: () => sync.catchUpChanges(open),
  });
  const check = () => {
    messages.check();
    changes.check();
  };
  const delayedTasks = createDelayedTasks(REORDER_WAIT_MS);
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
    const ranges = liveChanges.flatMap((change) => findRange(open, change) ?? []);
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

function findRange(logId: string, change: Change) {
  const root = getRootOfLog(logId);
  if (root !== null) return change.id === root ? replyRangeOf(change) : null;
  return change.id === logId ? messageRangeOf(change) : null;
}
