import type { markConversationRead } from '@atrium/proto-events/http/chat/conversations';
import type { markThreadRead } from '@atrium/proto-events/http/chat/threads';
import { call } from '#lib/api/api.ts';
import { getRetryAfterMs, isFinal } from '#lib/api/api-error.ts';
import { coalesce } from '#lib/delayed-tasks.ts';
import { jitter } from '#lib/delays.ts';
import { currentUserId } from '#lib/session/session.ts';
import { chatSocket, emitChat } from '#realtime/connection/socket.ts';
import { unread } from '#realtime/unread.ts';
import { getRootOfLog } from '../log/log-id.ts';

/** Throttled, because the number of events per user and minute is limited. */
const SEND_INTERVAL_MS = 1_000;
const RETRY_MS = 10_000;

/** With the revision in which it was read: messages may be marked as unread before it is sent. */
type Read = { userId: string; id: string; seq: number; readRevision: number | undefined };

type ReadReceiptDeps = {
  unread: { recordSeen: (id: string, seq: number) => void; revisionOf: (id: string) => number | undefined };
  currentUserId: () => string | null;
  send: (read: Read) => Promise<unknown>;
};

/** Messages of a conversation or thread count as read at once. The server is notified until it has received the read, for other devices. */
export function createReadReceipts({ unread, currentUserId, send }: ReadReceiptDeps) {
  let unsent: Read[] = [];
  const retry = () => {
    const reads = unsent;
    unsent = [];
    sendLatest(reads);
  };
  const onFailed = (read: Read, error: unknown) => {
    if (isFinal(error)) return;
    if (unsent.length === 0) setTimeout(retry, Math.max(jitter(RETRY_MS), getRetryAfterMs(error) ?? 0));
    unsent.push(read);
  };
  const sendLatest = coalesce<Read>(SEND_INTERVAL_MS, (reads) => {
    const latest = new Map<string, Read>();
    for (const read of reads)
      if (read.userId === currentUserId() && isLater(read, latest.get(read.id))) latest.set(read.id, read);
    for (const read of latest.values()) send(read).catch((error: unknown) => onFailed(read, error));
  });
  return (userId: string, id: string, seq: number): void => {
    unread.recordSeen(id, seq);
    sendLatest([{ userId, id, seq, readRevision: unread.revisionOf(id) }]);
  };
}

function isLater(read: Read, other: Read | undefined): boolean {
  if (!other) return true;
  const difference = (read.readRevision ?? 0) - (other.readRevision ?? 0);
  return difference > 0 || (difference === 0 && read.seq >= other.seq);
}

/** A socket does not report why it failed, so the second attempt uses HTTP. */
async function sendReadPosition({ id, seq, readRevision }: Read): Promise<void> {
  const body = { seq, readRevision };
  if (chatSocket.connected && (await emitChat('message:read', { conversation: id, ...body }).catch(() => null))) return;
  await call<typeof markConversationRead>('POST /chat/conversations/:id/read', { params: { id }, body });
}

const recordConversationRead = createReadReceipts({ unread, currentUserId, send: sendReadPosition });

const recordThreadRead = createReadReceipts({
  unread: { recordSeen: unread.recordSeenReply, revisionOf: (root) => unread.readsOf(root).revision ?? undefined },
  currentUserId,
  send: ({ id, seq, readRevision }) =>
    call<typeof markThreadRead>('POST /chat/messages/:id/thread/read', { params: { id }, body: { seq, readRevision } }),
});

export function recordRead(userId: string, logId: string, seq: number): void {
  const root = getRootOfLog(logId);
  if (root === null) recordConversationRead(userId, logId, seq);
  else if (unread.readsOf(root).isFollowed) recordThreadRead(userId, root, seq);
}
