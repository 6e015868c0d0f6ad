import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { listReplies } from '@atrium/proto-events/http/chat/threads';
import type { ChatServerEvents, LiveServerEvents } from '@atrium/proto-events/realtime';
import { createDelayedTasks } from '#lib/delayed-tasks.ts';
import type { QueryCache } from '#lib/query/query-cache.ts';
import { keyOf } from '#lib/query/use-read.ts';
import type { ChatSocket, LiveSocket } from './connection/socket.ts';
import { replyRangeOf } from './message-range.ts';
import type { Unread } from './unread.ts';

/** All followers learn of a reply at the same time, so their requests are spread over this time. */
const SPREAD_MS = 3_000;
/** Within this time, a reply arrives that was announced before it. */
const REPLY_WAIT_MS = 2_000;

type FollowThreadsDeps = {
  cache: QueryCache;
  chat: ChatSocket;
  live: LiveSocket;
  unread: Unread;
  /** Requests a path. */
  read: (path: string) => Promise<unknown>;
};

const stateKey = (id: string) =>
  keyOf<typeof listReplies>('GET /chat/messages/:id/thread', { params: { id }, query: { limit: 1 } });

/** Keeps the states of threads up to date on every screen, until the returned function is called. */
export function followThreads({ cache, chat, live, unread, read }: FollowThreadsDeps): () => void {
  const announced = createDelayedTasks(REPLY_WAIT_MS);
  let isStopped = false;
  const lookups = new Map<string, ReturnType<typeof setTimeout>>();
  const markStale = (path: string) => {
    for (const key of [...cache.keys()]) if (key.startsWith(path)) cache.markStale(key);
  };
  const lookUp = async (root: string) => {
    const page = (await read(stateKey(root))) as ResponseOf<typeof listReplies>;
    // Another user may have signed in.
    if (isStopped) return;
    unread.recordRoots([page.root]);
    if (page.root.thread?.followed) markStale('/chat/unread');
  };
  const lookUpSoon = (root: string) => {
    if (lookups.has(root)) return;
    const request = () => {
      lookups.delete(root);
      // Without a response, the next reply looks it up again.
      lookUp(root).catch(() => undefined);
    };
    lookups.set(root, setTimeout(request, Math.random() * SPREAD_MS));
  };
  const onReply: ChatServerEvents['thread:reply'] = ({ root, lastSeq }) => {
    if (unread.isThreadKnown(root)) unread.recordReply(root, lastSeq);
    else lookUpSoon(root);
  };
  const onState: ChatServerEvents['thread:read'] = (state) => {
    unread.recordThreadState(state);
    markStale('/chat/unread');
    markStale('/chat/threads');
  };
  const onChanged: LiveServerEvents['changed'] = ({ changes }) => {
    const ranges = changes.flatMap((change) => (change.action === 'created' ? (replyRangeOf(change) ?? []) : []));
    if (ranges.length === 0) return;
    announced.after(() => {
      // All participants receive the change: those who do not know the thread must not request it, too.
      for (const { root, lastSeq } of ranges)
        if (unread.isThreadKnown(root) && !unread.isReplyKnown(root, lastSeq)) lookUpSoon(root);
    });
  };
  chat.on('thread:reply', onReply);
  chat.on('thread:read', onState);
  live.on('changed', onChanged);
  return () => {
    isStopped = true;
    announced.stop();
    for (const timer of lookups.values()) clearTimeout(timer);
    chat.off('thread:reply', onReply);
    chat.off('thread:read', onState);
    live.off('changed', onChanged);
  };
}
