import { type Message, NOT_A_ROOT } from '@atrium/proto-events/http/chat-messages';
import type { FollowedThread } from '@atrium/proto-events/http/chat-threads';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findMessagePage, type PageRange } from '../model/message-page.ts';
import { findMessage, type MessageRow } from '../model/message-repository.ts';
import { presentMessage, presentThreadState } from '../model/present-message.ts';
import { moveReadPosition } from '../model/read-position.ts';
import {
  changeThread,
  deleteFollower,
  ensureThread,
  type FollowedThreadRow,
  findThread,
  insertFollowers,
  listFollowedThreads,
} from '../model/thread-repository.ts';
import { MESSAGE_DELETED } from './change-message.ts';
import { EMPTY_PAGE, presentMessagePage } from './list-messages.ts';
import { presentListed, presentStoredMessage } from './present-stored-message.ts';

type ListRepliesQuery = PageRange & { id: string; limit: number };

export async function listReplies(deps: Deps, caller: Caller, { id, ...query }: ListRepliesQuery) {
  const root = await findRoot(deps.db, caller, id);
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

async function findRoot(db: Queryable, { userId }: Caller, id: string): Promise<MessageRow> {
  const root = await findMessage(db, id, userId);
  if (!root?.is_participant) throw notFound('Message');
  if (root.parent_id !== null) throw new AppError('validation_failed', NOT_A_ROOT, { messages: [NOT_A_ROOT] });
  return root;
}

type ReadParams = { id: string; seq?: number | undefined };

/** Changes nothing for users who do not follow the thread. */
export async function markThreadRead(deps: Deps, caller: Caller, { id, seq }: ReadParams) {
  const root = await findRoot(deps.db, caller, id);
  const move = await moveReadPosition(deps.db, { of: 'thread', id, userId: caller.userId, seq });
  if (!move) return { updatedCount: 0, seq: seq ?? 0, unreadCount: 0 };
  if (move.seq > move.before)
    deps.broadcaster.threadChanged(caller.userId, {
      conversation: root.conversation_id,
      root: id,
      followed: true,
      lastSeq: move.last_seq,
      lastReadSeq: move.seq,
      unreadCount: move.unread_count,
    });
  return { updatedCount: move.newly_read, seq: move.seq, unreadCount: move.unread_count };
}

type FollowParams = { id: string; isFollowed: boolean };

export async function changeFollowing(deps: Deps, caller: Caller, { id, isFollowed }: FollowParams) {
  const { userId } = caller;
  const { root, isChanged } = await deps.db.transaction(async (tx) => {
    const root = await findRoot(tx, caller, id);
    if (!isFollowed) return { root, isChanged: await deleteFollower(tx, id, userId) };
    return { root, isChanged: await follow(tx, root, userId) };
  });
  const thread = await findThread(deps.db, id, userId);
  if (!thread) return { followed: false, unreadCount: 0 };
  const state = presentThreadState(root.conversation_id, thread);
  if (isChanged) deps.broadcaster.threadChanged(userId, state);
  return { followed: state.followed, unreadCount: state.unreadCount };
}

async function follow(tx: Queryable, root: MessageRow, userId: string): Promise<boolean> {
  if (root.thread_version === 0) {
    if (root.deleted_at !== null) throw new AppError('conflict', MESSAGE_DELETED);
    await ensureThread(tx, root);
    await changeThread(tx, root, { removedReplies: 0 });
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
