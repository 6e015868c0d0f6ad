import type { Change, ChatServerEvents } from '@atrium/proto-events/realtime';
import { coalesce, createDelayedTasks } from '#lib/delayed-tasks.ts';
import type { ChatSocket } from './connection/socket.ts';
import { messageRangeOf } from './message-range.ts';
import type { Unread } from './unread.ts';
import type { UnreadUpdate } from './unread-counts.ts';

/** Busy conversations change with every message; elsewhere their count is refetched at most this often. */
export const MESSAGE_INTERVAL_MS = 1_000;
/**
 * Counts may wait longer than an open conversation: earlier requests from every browser would add load to a slow
 * server.
 */
const RECHECK_WAIT_MS = 2_000;

export type UnreadTracker = Pick<Unread, 'record' | 'isMessageKnown' | 'isUncertain' | 'hasGaps' | 'onUncertain'>;

type CountUnreadParams = { chat: ChatSocket; me: () => string | null; unread: UnreadTracker; refetch: () => void };

export function countUnread({ chat, unread, me, refetch }: CountUnreadParams) {
  const refetchOnce = coalesce<null>(MESSAGE_INTERVAL_MS, refetch);
  const delayedTasks = createDelayedTasks(RECHECK_WAIT_MS);
  const refetchIfStillMissing = (isMissing: () => boolean) =>
    delayedTasks.after(() => isMissing() && refetchOnce([null]));
  let isRecheckDue = false;
  const record = (update: UnreadUpdate) => {
    unread.record(update);
    if (unread.isUncertain()) refetchOnce([null]);
    // An earlier message may still arrive from another pod.
    else if (unread.hasGaps() && !isRecheckDue) {
      isRecheckDue = true;
      refetchIfStillMissing(() => {
        isRecheckDue = false;
        return unread.hasGaps();
      });
    }
  };
  // The response may lack updates that arrived during the request.
  const stopWatching = unread.onUncertain(() => refetchOnce([null]));
  const checkAnnounced = (changes: readonly Change[]) => {
    const isMissing = () =>
      changes.some((change) => {
        const range = change.action === 'created' ? messageRangeOf(change) : null;
        return (
          range !== null &&
          ![range.firstSeq, range.lastSeq].every((seq) => unread.isMessageKnown(range.conversation, seq))
        );
      });
    if (isMissing()) refetchIfStillMissing(isMissing);
  };
  const events: Partial<ChatServerEvents> = {
    'message:new': ({ message: { conversation, seq, sender } }) =>
      record({ kind: sender._id === me() ? 'sent' : 'received', conversation, seq }),
    'message:read': ({ conversation, user, seq }) => {
      if (user === me()) record({ kind: 'read', conversation, seq });
    },
    'conversation:deleted': ({ conversation }) => record({ kind: 'removed', conversation }),
    'conversation:participant_removed': ({ conversation, removedUserId }) => {
      if (removedUserId === me()) record({ kind: 'removed', conversation });
    },
  };
  const eventListeners = Object.entries(events) as [keyof ChatServerEvents, () => void][];
  for (const [name, listen] of eventListeners) chat.on(name, listen);
  const stop = () => {
    for (const [name, listen] of eventListeners) chat.off(name, listen);
    delayedTasks.stop();
    stopWatching();
  };
  return { checkAnnounced, stop };
}
