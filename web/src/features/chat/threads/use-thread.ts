import { useEffect, useMemo } from 'react';
import { REPLY } from '#entities/message/message-path.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { unread, useLastReadReply, useThreadRevision, useUnreadInThread } from '#realtime/unread.ts';
import { PAGE_SIZE } from '../log/load-messages.ts';
import { threadLogId } from '../log/log-id.ts';
import { showLog } from '../log/message-store.ts';
import { useMessages } from '../log/sync-messages.ts';
import { useRoot } from '../log/thread-roots.ts';
import { toRows } from '../messages/message-rows.ts';
import { useJumps, useTarget } from '../messages/use-linked-message.ts';
import { useReadUntil } from '../read-receipts/use-read-until.ts';
import { useOutgoing } from '../sending/outgoing-messages.ts';

/** Loads the replies to a message, and keeps their read position. */
export function useThread(rootId: string, openConversation: string | null) {
  const currentUserId = useCurrentUser()._id;
  const logId = threadLogId(rootId);
  const unreadCount = useUnreadInThread(rootId);
  const readUntil = useReadUntil({
    unreadCount,
    lastReadSeq: useLastReadReply(rootId),
    revision: useThreadRevision(rootId),
  });
  const { target } = useTarget(logId, REPLY);
  const openAt = target?.seq ?? (readUntil !== null && unreadCount > PAGE_SIZE / 2 ? readUntil + 1 : null);
  const { log, error, retry, isRetrying } = useMessages(logId, openAt);
  useJumps(logId, target, log.isLoaded);
  useEffect(() => {
    return showLog(logId);
  }, [logId]);
  const root = useRoot(rootId, openConversation);
  const pending = useOutgoing(logId);
  const firstRoot = log.hasOlder ? undefined : root;
  const rows = useMemo(
    () => toRows({ log, pending, currentUserId, readUntil, root: firstRoot }),
    [log, pending, currentUserId, readUntil, firstRoot],
  );
  const reads = {
    unreadCount: () => unread.readsOf(rootId).unreadCount,
    lastReadSeq: () => unread.readsOf(rootId).lastReadSeq,
    revision: () => unread.readsOf(rootId).revision,
  };
  return { root, log, rows, target, reads, unreadCount, error, retry, isRetrying };
}
