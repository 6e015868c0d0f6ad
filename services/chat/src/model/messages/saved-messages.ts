import type { Limits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { conversationOf, type MessageRow } from './message-repository.ts';

/** Returns the ids of those that the user has saved. */
export async function listSavedIds(
  db: Queryable,
  messages: readonly Pick<MessageRow, 'message_id'>[],
  userId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ message_id: string }>({
    name: 'list-saved-ids',
    text: 'select message_id from saved_messages where user_id = $1 and message_id = any($2)',
    values: [userId, messages.map(({ message_id }) => message_id)],
  });
  return new Set(rows.map(({ message_id }) => message_id));
}

/** Prevents the deletion of a message until the transaction ends. Returns whether it is not deleted. */
export async function lockUndeleted(tx: Queryable, { conversation_id, seq }: MessageRow): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from messages where conversation_id = $1 and seq = $2 and deleted_at is null for share',
    [conversation_id, seq],
  );
  return rowCount === 1;
}

/** Keeps the reminder of a message that is saved already, unless there is a new one. */
export async function upsertSaved(
  tx: Queryable,
  message: MessageRow,
  userId: string,
  remindAt: string | null = null,
): Promise<void> {
  await tx.query(
    `insert into saved_messages as s (user_id, message_id, conversation_id, remind_at) values ($1, $2, $3, $4)
     on conflict (user_id, message_id) do update set remind_at = excluded.remind_at where excluded.remind_at is not null`,
    [userId, message.message_id, conversationOf(message), remindAt],
  );
}

export async function countSaved(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*) from saved_messages where user_id = $1', [
    userId,
  ]);
  return rows[0]?.count ?? 0;
}

export async function deleteReminder(db: Queryable, messageId: string, userId: string): Promise<void> {
  await db.query('update saved_messages set remind_at = null where user_id = $1 and message_id = $2', [
    userId,
    messageId,
  ]);
}

export type DueReminder = {
  user_id: string;
  message_id: string;
  conversation_id: string;
  /** Null if the message was deleted. */
  seq: number | null;
  /** Of a reply. */
  root_id: string | null;
  is_visible: boolean;
};

/** Ends the reminders that are due, except those that another pod has locked. */
export async function claimDueReminders(tx: Queryable, limit: number): Promise<DueReminder[]> {
  const { rows } = await tx.query<DueReminder>({
    name: 'claim-due-reminders',
    text: `with due as (
        select user_id, message_id from saved_messages where remind_at <= clock_timestamp()
        order by remind_at limit $1 for update skip locked
      ), ended as (
        update saved_messages s set remind_at = null from due
        where s.user_id = due.user_id and s.message_id = due.message_id
        returning s.user_id, s.message_id, s.conversation_id
      )
      select e.user_id, e.message_id, e.conversation_id, m.seq,
        case when m.parent_id is not null then m.conversation_id end as root_id,
        m.seq is not null and exists (
          select from participants p where p.conversation_id = e.conversation_id and p.user_id = e.user_id
        ) as is_visible
      from ended e left join messages m
        on m.message_id = e.message_id and m.thread_id is null and m.deleted_at is null`,
    values: [limit],
  });
  return rows;
}

export async function deleteSaved(db: Queryable, messageId: string, userId: string): Promise<void> {
  await db.query('delete from saved_messages where user_id = $1 and message_id = $2', [userId, messageId]);
}

const VISIBLE = `from saved_messages s
  join participants p on p.conversation_id = s.conversation_id and p.user_id = s.user_id
  where s.user_id = $1`;

export type SavedRow = { saved_at: Date; remind_at: Date | null; message: MessageRow };

/** Lists those of conversations in which the user is, last saved first. */
export async function listSavedRows(db: Queryable, userId: string, { limit, offset }: Limits) {
  const [list, count] = await Promise.all([
    db.query<SavedRow>({
      name: 'list-saved',
      text: `select s.saved_at, s.remind_at, (
          select to_jsonb(m) from messages m
          where m.message_id = s.message_id and m.thread_id is null limit 1
        ) as message
        ${VISIBLE} order by s.saved_at desc, s.message_id limit $2 offset $3`,
      values: [userId, limit, offset],
    }),
    db.query<{ total: number }>(`select count(*) as total ${VISIBLE}`, [userId]),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}
