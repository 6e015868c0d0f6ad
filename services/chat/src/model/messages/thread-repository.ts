import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { COLUMNS, type MessageRow, type Timestamp, UPDATED_LATER } from './message-repository.ts';

/** A thread as its root shows it. The last three columns are the viewer's, null unless they follow it. */
export type ThreadRow = {
  thread_id: string;
  last_seq: number;
  reply_count: number;
  repliers: string[];
  updated_at: Timestamp;
  last_read_seq: number | null;
  own_after_read: number | null;
  read_revision: number | null;
};

/** Selects threads by an expression of the viewer and one of the ids of their roots. */
export const selectThreads = (viewer: string, rootIds: string) => `
  select t.thread_id, t.last_seq, t.reply_count, t.repliers, t.updated_at, f.last_read_seq, f.own_after_read, f.read_revision
  from threads t left join thread_followers f on f.thread_id = t.thread_id and f.user_id = ${viewer}
  where t.thread_id in (${rootIds})`;

export async function findThread(db: Queryable, rootId: string, viewerId: string): Promise<ThreadRow | undefined> {
  const { rows } = await db.query<ThreadRow>({
    name: 'find-thread',
    text: selectThreads('$2', '$1'),
    values: [rootId, viewerId],
  });
  return rows[0];
}

/** Finds the threads of several messages, by the ids of their roots. */
export async function listThreadsOf(
  db: Queryable,
  roots: readonly MessageRow[],
  viewerId: string,
): Promise<ReadonlyMap<string, ThreadRow>> {
  const ids = roots.filter(({ thread_version }) => thread_version > 0).map(({ message_id }) => message_id);
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<ThreadRow>({
    name: 'list-threads-of',
    text: selectThreads('$2', 'select unnest($1::text[])'),
    values: [ids, viewerId],
  });
  return new Map(rows.map((row) => [row.thread_id, row]));
}

type Root = Pick<MessageRow, 'conversation_id' | 'message_id'>;

/** Creates the thread unless it exists. Returns the seq of its last reply; 0 before the first one. */
export async function ensureThread(tx: Queryable, root: Root): Promise<number> {
  const { rows } = await tx.query<{ last_seq: number }>(
    `with created as (
       insert into threads (thread_id, conversation_id) values ($1, $2) on conflict do nothing returning last_seq
     ) select last_seq from threads where thread_id = $1 union all select last_seq from created`,
    [root.message_id, root.conversation_id],
  );
  return rows[0]?.last_seq ?? 0;
}

/**
 * All existing replies count as read. Ignores users who are not participants of the conversation. Returns those who did
 * not follow it.
 */
export async function insertFollowers(tx: Queryable, root: Root, userIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    `insert into thread_followers (thread_id, user_id, last_read_seq)
     select t.thread_id, p.user_id, t.last_seq from threads t
     join participants p on p.conversation_id = t.conversation_id and p.user_id = any($2)
     where t.thread_id = $1 order by p.user_id
     on conflict do nothing returning user_id`,
    [root.message_id, userIds],
  );
  return rows.map(({ user_id }) => user_id);
}

/** Lists those who are in the conversation. */
export async function listFollowers(db: Queryable, rootId: string): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>({
    name: 'list-followers',
    text: `select f.user_id from thread_followers f join threads t on t.thread_id = f.thread_id
           join participants p on p.conversation_id = t.conversation_id and p.user_id = f.user_id
           where f.thread_id = $1`,
    values: [rootId],
  });
  return rows.map(({ user_id }) => user_id);
}

export async function deleteFollower(tx: Queryable, rootId: string, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from thread_followers where thread_id = $1 and user_id = $2', [
    rootId,
    userId,
  ]);
  return rowCount === 1;
}

export async function subtractReply(tx: Queryable, rootId: string): Promise<void> {
  await tx.query('update threads set reply_count = reply_count - 1 where thread_id = $1', [rootId]);
}

/** Records a change of the replies as one of the root. Returns the root, or undefined if it was removed. */
export async function updateRoot(
  tx: Queryable,
  { conversation_id, message_id }: Root,
): Promise<MessageRow | undefined> {
  const { rows } = await tx.query<MessageRow>(
    `update messages set thread_version = thread_version + 1, ${UPDATED_LATER}
     where conversation_id = $1 and message_id = $2 returning ${COLUMNS}`,
    [conversation_id, message_id],
  );
  return rows[0];
}

export type FollowedThreadRow = ThreadRow & {
  conversation_id: string;
  root: MessageRow;
  last_reply: MessageRow | null;
};

const FOLLOWED_THREADS = `from thread_followers f
  join threads t on t.thread_id = f.thread_id
  join participants p on p.conversation_id = t.conversation_id and p.user_id = f.user_id
  cross join lateral (select t.last_seq - f.last_read_seq - f.own_after_read as unread) u`;
const BY_USER = 'where f.user_id = $1 and t.reply_count > 0';

export async function listFollowedThreads(
  db: Queryable,
  userId: string,
  { filter, limit, offset }: { filter: 'all' | 'unread'; limit: number; offset: number },
): Promise<{ rows: FollowedThreadRow[]; total: number }> {
  const condition = filter === 'unread' ? `${BY_USER} and u.unread > 0` : BY_USER;
  const [list, count] = await Promise.all([
    db.query<FollowedThreadRow>({
      name: `list-followed-threads-${filter}`,
      // The messages only of those on the page.
      text: `with page as (
          select t.thread_id, t.conversation_id, t.last_seq, t.reply_count, t.repliers, t.updated_at,
            f.last_read_seq, f.own_after_read, f.read_revision
          ${FOLLOWED_THREADS} ${condition}
          order by t.updated_at desc, t.thread_id desc limit $2 offset $3
        )
        select page.*, to_jsonb(root) as root, to_jsonb(reply) as last_reply from page
        join messages root on root.conversation_id = page.conversation_id and root.message_id = page.thread_id
        left join messages reply on reply.conversation_id = page.thread_id and reply.seq = page.last_seq
        order by page.updated_at desc, page.thread_id desc`,
      values: [userId, limit, offset],
    }),
    db.query<{ total: number }>(`select count(*) as total ${FOLLOWED_THREADS} ${condition}`, [userId]),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

export async function countUnreadReplies(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query<{ unread: number }>({
    name: 'count-unread-replies',
    text: `select coalesce(sum(u.unread), 0)::bigint as unread ${FOLLOWED_THREADS} ${BY_USER}`,
    values: [userId],
  });
  return rows[0]?.unread ?? 0;
}
