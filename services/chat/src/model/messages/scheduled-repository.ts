import type { Limits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { replaceNullCharacters } from './message-repository.ts';

export type ScheduledRow = {
  scheduled_id: string;
  user_id: string;
  conversation_id: string;
  thread_id: string | null;
  also_in_conversation: boolean;
  content: string;
  client_message_id: string;
  send_at: Date;
  failure: string | null;
  created_at: Date;
};

const COLUMNS =
  'scheduled_id, user_id, conversation_id, thread_id, also_in_conversation, content, client_message_id, send_at, failure, created_at';

export type NewScheduled = Omit<ScheduledRow, 'send_at' | 'failure' | 'created_at'> & { send_at: string };

/** Returns undefined if the user has used the `client_message_id` for another scheduled message. */
export async function insertScheduled(tx: Queryable, scheduled: NewScheduled): Promise<ScheduledRow | undefined> {
  const { rows } = await tx.query<ScheduledRow>(
    `insert into scheduled_messages
       (scheduled_id, user_id, conversation_id, thread_id, also_in_conversation, content, client_message_id, send_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (user_id, client_message_id) do nothing returning ${COLUMNS}`,
    [
      scheduled.scheduled_id,
      scheduled.user_id,
      scheduled.conversation_id,
      scheduled.thread_id,
      scheduled.also_in_conversation,
      replaceNullCharacters(scheduled.content),
      scheduled.client_message_id,
      scheduled.send_at,
    ],
  );
  return rows[0];
}

export async function findScheduledByClientId(
  db: Queryable,
  userId: string,
  clientMessageId: string,
): Promise<ScheduledRow | undefined> {
  const { rows } = await db.query<ScheduledRow>(
    `select ${COLUMNS} from scheduled_messages where user_id = $1 and client_message_id = $2`,
    [userId, clientMessageId],
  );
  return rows[0];
}

/** Locks a scheduled message of the user. Waits while it is being sent, and returns undefined if it was. */
export async function lockScheduled(
  tx: Queryable,
  { id, userId }: { id: string; userId: string },
): Promise<ScheduledRow | undefined> {
  const { rows } = await tx.query<ScheduledRow>(
    `select ${COLUMNS} from scheduled_messages where scheduled_id = $1 and user_id = $2 for update`,
    [id, userId],
  );
  return rows[0];
}

const DUE = 'failure is null and send_at <= clock_timestamp()';

export async function listDueIds(
  db: Queryable,
  { limit, exceptIds }: { limit: number; exceptIds: string[] },
): Promise<string[]> {
  const { rows } = await db.query<{ scheduled_id: string }>({
    name: 'list-due-messages',
    text: `select scheduled_id from scheduled_messages where ${DUE} and scheduled_id <> all($2)
      order by send_at, created_at limit $1`,
    values: [limit, exceptIds],
  });
  return rows.map(({ scheduled_id }) => scheduled_id);
}

/** Locks a message that is due, unless another pod sends it. */
export async function claimDue(tx: Queryable, id: string): Promise<ScheduledRow | undefined> {
  const { rows } = await tx.query<ScheduledRow>(
    `select ${COLUMNS} from scheduled_messages where scheduled_id = $1 and ${DUE} for update skip locked`,
    [id],
  );
  return rows[0];
}

/** Returns the author, or undefined if it is no longer due. */
export async function recordFailure(db: Queryable, id: string, failure: string): Promise<string | undefined> {
  const { rows } = await db.query<{ user_id: string }>(
    `update scheduled_messages set failure = $2 where scheduled_id = $1 and ${DUE} returning user_id`,
    [id, failure],
  );
  return rows[0]?.user_id;
}

/** Keeps what is not passed. A new time also removes the failure. */
export async function updateScheduled(
  tx: Queryable,
  id: string,
  { content, sendAt }: { content?: string | undefined; sendAt?: string | undefined },
): Promise<ScheduledRow | undefined> {
  const { rows } = await tx.query<ScheduledRow>(
    `update scheduled_messages set content = coalesce($2, content), send_at = coalesce($3, send_at),
       failure = case when $3::timestamptz is null then failure end
     where scheduled_id = $1 returning ${COLUMNS}`,
    [id, content === undefined ? null : replaceNullCharacters(content), sendAt ?? null],
  );
  return rows[0];
}

export async function deleteScheduledRow(db: Queryable, id: string, userId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from scheduled_messages where scheduled_id = $1 and user_id = $2', [
    id,
    userId,
  ]);
  return rowCount === 1;
}

export async function countScheduled(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*) from scheduled_messages where user_id = $1', [
    userId,
  ]);
  return rows[0]?.count ?? 0;
}

/** Lists those that could not be sent first, then the next first. */
export async function listScheduledRows(db: Queryable, userId: string, { limit, offset }: Limits) {
  const [list, total] = await Promise.all([
    db.query<ScheduledRow>({
      name: 'list-scheduled',
      text: `select ${COLUMNS} from scheduled_messages where user_id = $1
        order by (failure is null), send_at, scheduled_id limit $2 offset $3`,
      values: [userId, limit, offset],
    }),
    countScheduled(db, userId),
  ]);
  return { rows: list.rows, total };
}
