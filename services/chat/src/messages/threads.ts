import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { FollowedThread } from '@atrium/proto-events/http/chat/threads';
import type { ThreadState } from '@atrium/proto-events/realtime';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { moveReadPosition, moveReadPositionBack, type ReadMove } from '../model/conversations/read-position.ts';
import { lockConversationOf } from '../model/messages/message-locks.ts';
import { findMessagePage, type PageRange } from '../model/messages/message-page.ts';
import type { MessageRow } from '../model/messages/message-repository.ts';
import { presentMessage, presentThreadState } from '../model/messages/present-message.ts';
import {
  deleteFollower,
  ensureThread,
  type FollowedThreadRow,
  findThread,
  insertFollowers,
  listFollowedThreads,
  updateRoot,
} from '../model/messages/thread-repository.ts';
import { EMPTY_PAGE, presentMessagePage } from './list-messages.ts';
import { presentListed, presentStoredMessage } from './present-stored-message.ts';
import { assertCanHaveThread, findRoot } from './thread-root.ts';

type ListRepliesQuery = PageRange & { id: string; limit: number };

export async function listReplies(deps: Deps, caller: Caller, { id, ...query }: ListRepliesQuery) {
  const root = await findRoot(deps.db, { id, userId: caller.userId });
  const page = await findMessagePage(deps.db, { ...query, of: 'thread', id, viewerId: caller.userId });
  return {
    ...presentMessagePage(deps, caller, {
      page: page ?? EMPTY_PAGE,
      limit: query.limit,
      changedAfter: query.changedAfter,
    }),
    root: await presentStoredMessage(deps, caller, root),
  };
}

type ReadParams = { id: string; seq?: number | undefined; readRevision?: number | undefined };

/** Changes nothing for users who do not follow the thread. */
export async function markThreadRead(deps: Deps, caller: Caller, { id, ...params }: ReadParams) {
  const { userId } = caller;
  const root = await findRoot(deps.db, { id, userId });
  const conversation = root.conversation_id;
  const move = await moveReadPosition(deps.db, { of: 'thread', id, conversation, userId, seq: undefined, ...params });
  if (!move) return { updatedCount: 0, seq: params.seq ?? 0, unreadCount: 0 };
  if (move.is_published) deps.db.notifyCommitted();
  if (move.seq > move.before) deps.broadcaster.threadChanged(userId, toThreadState(root, move));
  return { updatedCount: move.newly_read, seq: move.seq, unreadCount: move.unread_count };
}

const toThreadState = ({ conversation_id, message_id }: MessageRow, move: ReadMove): ThreadState => ({
  conversation: conversation_id,
  root: message_id,
  followed: true,
  lastSeq: move.last_seq,
  lastReadSeq: move.seq,
  unreadCount: move.unread_count,
  readRevision: move.read_revision,
});

export async function markThreadUnread(deps: Deps, { userId }: Caller, { id, seq }: { id: string; seq: number }) {
  const { root, move } = await deps.db.transaction(async (tx) => {
    const root = await findRoot(tx, { id, userId });
    await insertFollowers(tx, root, [userId]);
    const move = await moveReadPositionBack(tx, { of: 'thread', id, userId, seq });
    if (!move) throw notFound('Message');
    return { root, move };
  });
  const state = toThreadState(root, move);
  if (move.seq < move.before) deps.broadcaster.threadChanged(userId, state);
  return state;
}

type FollowParams = { id: string; isFollowed: boolean };

export async function changeFollowing(deps: Deps, caller: Caller, { id, isFollowed }: FollowParams) {
  const { userId } = caller;
  const { root, isChanged } = await deps.db.transaction(async (tx) => {
    const root = await findRoot(tx, { id, userId });
    if (!isFollowed) return { root, isChanged: await deleteFollower(tx, id, userId) };
    return { root, isChanged: await follow(tx, root, userId) };
  });
  const thread = await findThread(deps.db, id, userId);
  if (!thread) return { followed: false, unreadCount: 0, readRevision: 0 };
  const state = presentThreadState(root.conversation_id, thread);
  if (isChanged) deps.broadcaster.threadChanged(userId, state);
  const { followed, unreadCount, readRevision } = state;
  return { followed, unreadCount, readRevision };
}

async function follow(tx: Queryable, root: MessageRow, userId: string): Promise<boolean> {
  if (root.thread_version === 0) {
    await lockConversationOf(tx, root);
    // It may have been deleted since.
    assertCanHaveThread(await findRoot(tx, { id: root.message_id, userId }));
    await ensureThread(tx, root);
    await updateRoot(tx, root);
  }
  return (await insertFollowers(tx, root, [userId])).length > 0;
}

type ListThreadsQuery = { page: number; limit: number; filter: 'all' | 'unread' };

export async function listThreads(deps: Deps, caller: Caller, query: ListThreadsQuery) {
  const { rows, total } = await listFollowedThreads(deps.db, caller.userId, { ...toLimits(query), ...query });
  const roots = await presentListed(
    deps,
    caller,
    rows.map(({ root }) => root),
  );
  const items = rows.flatMap((row, index) => {
    const root = roots[index];
    return root ? [presentFollowed(deps, row, root)] : [];
  });
  return toPage(items, total, query);
}

function presentFollowed(deps: Deps, row: FollowedThreadRow, root: Message): FollowedThread {
  return {
    _id: row.thread_id,
    conversation: row.conversation_id,
    root,
    lastReply: row.last_reply && presentMessage(deps.directory, row.last_reply),
    unreadCount: presentThreadState(row.conversation_id, row).unreadCount,
  };
}
