import { messagesRead } from '@atrium/proto-events/events/chat';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { readersAggregate } from '../readers-aggregate.ts';

type Kind = 'conversation' | 'thread';

/** Publishes the new position if the user was notified of what is after the previous one. */
const PUBLISH_READ = `insert into outbox (subject, message_id, aggregate, payload)
    select $5, $6, $7, jsonb_set($8::jsonb, '{data,seq}', to_jsonb(seq))::text
    from me where notified_seq > last_read_seq and exists (select from moved)
    returning 1`;

/** A read with an earlier revision than the current one was sent before messages were marked as unread. */
const buildMove = (streams: string, members: string, id: string) => `with me as (
    select p.last_read_seq, p.own_after_read, p.read_revision, p.notified_seq, c.last_seq,
      case when $4::bigint < p.read_revision then p.last_read_seq else least($3::bigint, c.last_seq) end as seq
    from ${members} p join ${streams} c on c.${id} = p.${id}
    where p.${id} = $1 and p.user_id = $2
  ), own as (
    select case
      when seq <= last_read_seq or own_after_read = 0 then 0
      when seq - last_read_seq < last_seq - seq then (
        select count(*) from messages m
        where m.conversation_id = $1 and m.seq > last_read_seq and m.seq <= me.seq and m.sender_id = $2
      )
      else own_after_read - (
        select count(*) from messages m where m.conversation_id = $1 and m.seq > me.seq and m.seq <= last_seq and m.sender_id = $2
      )
    end as n from me
  ), moved as (
    update ${members} p set last_read_seq = me.seq, own_after_read = me.own_after_read - own.n
    from me, own
    where p.${id} = $1 and p.user_id = $2 and me.seq > me.last_read_seq
      and p.last_read_seq = me.last_read_seq and p.own_after_read = me.own_after_read and p.read_revision = me.read_revision
      and p.notified_seq = me.notified_seq
    returning 1
  ), published as (
    ${PUBLISH_READ}
  )
  select exists (select from published) as is_published, last_read_seq as before, greatest(last_read_seq, seq) as seq, last_seq, read_revision,
    last_seq - greatest(last_read_seq, seq) - (own_after_read - own.n) as unread_count,
    case when seq > last_read_seq then seq - last_read_seq - own.n else 0 end as newly_read,
    seq > last_read_seq and not exists (select from moved) as conflicted
  from me, own`;

/** Own messages are never unread, so that with only own ones from the message on, the last one of others is the first unread one. */
const buildMoveBack = (streams: string, members: string, id: string) => `with me as (
    select p.last_read_seq, p.own_after_read, p.read_revision, c.last_seq, least(p.last_read_seq, least($3::bigint, (
      select m.seq from messages m where m.conversation_id = $1 and m.sender_id <> $2 order by m.seq desc limit 1
    )) - 1) as seq
    from ${members} p join ${streams} c on c.${id} = p.${id}
    where p.${id} = $1 and p.user_id = $2 and c.last_seq >= $3::bigint
  ), own as (
    select (
      select count(*) from messages m
      where m.conversation_id = $1 and m.seq > me.seq and m.seq <= last_read_seq and m.sender_id = $2
    ) as n from me
  ), moved as (
    update ${members} p set last_read_seq = me.seq, own_after_read = me.own_after_read + own.n,
      read_revision = nextval('read_revisions'), receipt_seq = greatest(p.receipt_seq, me.last_read_seq)
    from me, own
    where p.${id} = $1 and p.user_id = $2 and me.seq < me.last_read_seq
      and p.last_read_seq = me.last_read_seq and p.own_after_read = me.own_after_read and p.read_revision = me.read_revision
    returning p.read_revision
  )
  select last_read_seq as before, seq, last_seq, coalesce((select m.read_revision from moved m), me.read_revision) as read_revision,
    last_seq - seq - (own_after_read + own.n) as unread_count, 0 as newly_read,
    seq < last_read_seq and not exists (select from moved) as conflicted
  from me, own`;

const toStatements = (build: typeof buildMove): Record<Kind, string> => ({
  conversation: build('conversations', 'participants', 'conversation_id'),
  thread: build('threads', 'thread_followers', 'thread_id'),
});

/** Exported for the query plan test. */
export const MOVES = toStatements(buildMove);
const MOVES_BACK = toStatements(buildMoveBack);

export type ReadMove = {
  before: number;
  seq: number;
  newly_read: number;
  last_seq: number;
  unread_count: number;
  read_revision: number;
  /** Whether an event about it waits in the outbox. */
  is_published?: boolean;
};

type MoveParams = {
  of: Kind;
  id: string;
  conversation: string;
  userId: string;
  seq: number | undefined;
  readRevision?: number | undefined;
};

/**
 * Counts own messages on the shorter side of the new read position. Returns undefined for users who are not participants,
 * or do not follow the thread.
 */
export const moveReadPosition = (
  db: Queryable,
  { of, id, conversation, userId, seq, readRevision }: MoveParams,
): Promise<ReadMove | undefined> => {
  const event = outboxRow({
    event: messagesRead,
    // The SQL statement sets the seq.
    data: { userId, conversationId: conversation, ...(of === 'thread' && { rootId: id }), seq: 0 },
    aggregate: readersAggregate(conversation, userId),
    actorId: userId,
  });
  return move(db, {
    name: `move-read-position-${of}`,
    text: MOVES[of],
    values: [
      id,
      userId,
      seq ?? Number.MAX_SAFE_INTEGER,
      readRevision ?? null,
      event.subject,
      event.messageId,
      event.aggregate,
      event.payload,
    ],
  });
};

/** Makes a message and all later ones unread. Also returns undefined if there is no such message. */
export const moveReadPositionBack = (
  db: Queryable,
  { of, id, userId, seq }: { of: Kind; id: string; userId: string; seq: number },
) => move(db, { name: `move-read-position-back-${of}`, text: MOVES_BACK[of], values: [id, userId, seq] });

/**
 * Locks optimistically: the row changes only if it is still the one that was read together with `last_seq`, so that the
 * unread count is the one at that `last_seq`.
 */
async function move(
  db: Queryable,
  statement: { name: string; text: string; values: unknown[] },
): Promise<ReadMove | undefined> {
  for (;;) {
    const { rows } = await db.query<ReadMove & { conflicted: boolean }>(statement);
    const [result] = rows;
    // The user has read or sent in between, so each retry follows another write that succeeded.
    if (!result?.conflicted) return result;
  }
}

/** Finds the seq of a message in its conversation, in which the user is. A reply has one only if the conversation shows it, too. */
export async function findPosition(
  db: Queryable,
  messageId: string,
  userId: string,
): Promise<{ conversation: string; seq: number } | undefined> {
  const { rows } = await db.query<{ conversation: string; seq: number }>(
    `select m.conversation_id as conversation, m.seq from messages m
     join participants p on p.conversation_id = m.conversation_id and p.user_id = $2 where m.message_id = $1`,
    [messageId, userId],
  );
  return rows[0];
}
