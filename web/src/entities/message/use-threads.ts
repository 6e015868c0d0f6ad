import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { FollowedThread, listReplies, listThreads } from '@atrium/proto-events/http/chat/threads';
import { useLayoutEffect, useState } from 'react';
import { loadMoreProps } from '#lib/query/paging.ts';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';
import { keyOf, useRead } from '#lib/query/use-read.ts';
import { unread, useUnreadReplies } from '#realtime/unread.ts';

export type ThreadFilter = 'all' | 'unread';

const PAGE_SIZE = 30;

const keyOfPage = (filter: ThreadFilter) => (page: number) =>
  keyOf<typeof listThreads>('GET /chat/threads', { query: { filter, limit: PAGE_SIZE, page } });

/** Lists the followed threads, unread ones first. */
export function useThreads(filter: ThreadFilter) {
  const [pages, setPages] = useState(1);
  const unreadThreads = useInfinitePages<FollowedThread>(keyOfPage('unread'), pages);
  const allThreads = useInfinitePages<FollowedThread>(keyOfPage('all'), filter === 'all' ? pages : null);
  useRecordedThreads(unreadThreads.data?.data);
  useRecordedThreads(allThreads.data?.data);
  // Renders again when a thread has been read.
  useUnreadReplies();
  const shown = filter === 'all' ? allThreads : unreadThreads;
  const threads = shown.data && mergeThreads(unreadThreads.data?.data ?? [], allThreads.data?.data ?? [], filter);
  return { query: { ...shown, data: threads }, more: loadMoreProps(shown, pages, setPages) };
}

const isUnread = ({ _id }: FollowedThread) => unread.readsOf(_id).unreadCount > 0;

function mergeThreads(
  unreadThreads: readonly FollowedThread[],
  allThreads: readonly FollowedThread[],
  filter: ThreadFilter,
): FollowedThread[] {
  if (filter === 'unread') return unreadThreads.filter(isUnread);
  const byId = new Map([...unreadThreads, ...allThreads].map((thread) => [thread._id, thread]));
  const latestFirst = [...byId.values()].toSorted((a, b) => (lastReplyAt(a) < lastReplyAt(b) ? 1 : -1));
  return [...latestFirst.filter(isUnread), ...latestFirst.filter((thread) => !isUnread(thread))];
}

export const lastReplyAt = ({ root, lastReply }: FollowedThread): string =>
  root.thread?.lastReplyAt ?? lastReply?.createdAt ?? root.createdAt;

/** Each response updates the counts everywhere, before it is painted. */
function useRecordedThreads(threads: readonly FollowedThread[] | undefined): void {
  useLayoutEffect(() => {
    if (threads) unread.recordRoots(threads.map(({ root }) => root));
  }, [threads]);
}

/** Reads the root of a thread, unless the id is null. */
export function useThreadRoot(rootId: string | null): Message | undefined {
  const input = rootId === null ? null : { params: { id: rootId }, query: { limit: 1 } };
  return useRead<typeof listReplies>('GET /chat/messages/:id/thread', input).data?.root;
}
