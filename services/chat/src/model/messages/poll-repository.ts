import { MAX_POLL_USERS } from '@atrium/proto-events/http/chat/message-parts';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type MessageRow, type StoredPoll, type Timestamp, updateMessage } from './message-repository.ts';

/** An option that someone has voted for. `user_ids` are the first ones; `mine` is whether the viewer is one of all. */
type OptionRow = { id: string; count: number; mine: boolean; user_ids: string[] };

/** The votes of a poll, without one if nobody has voted. `voted_at` is the viewer's. */
export type PollRow = {
  message_id: string;
  voter_count: number;
  voted_at: Timestamp | null;
  options: OptionRow[] | null;
};

/** Selects votes by an expression of the viewer, and one of conversations and ids of messages. */
export const selectPolls = (viewer: string, messages: string) => `
  with votes as (select * from poll_votes where (conversation_id, message_id) in (${messages})),
  counts as (
    select v.message_id, option as id, count(*)::int as count, bool_or(v.user_id = ${viewer}) as mine,
      (array_agg(v.user_id order by v.voted_at, v.user_id))[1:${MAX_POLL_USERS}] as user_ids
    from votes v cross join unnest(v.options) as option group by v.message_id, option
  )
  select v.message_id, (count(*) filter (where v.options <> '{}'))::int as voter_count,
    max(v.voted_at) filter (where v.user_id = ${viewer}) as voted_at,
    (
      select json_agg(json_build_object('id', c.id, 'count', c.count, 'mine', c.mine, 'user_ids', c.user_ids))
      from counts c where c.message_id = v.message_id
    ) as options
  from votes v group by v.message_id`;

/** Finds the votes in several messages, by their ids. */
export async function listPolls(
  db: Queryable,
  messages: readonly MessageRow[],
  viewerId: string,
): Promise<ReadonlyMap<string, PollRow>> {
  const polls = messages.filter(({ poll }) => poll !== null);
  if (polls.length === 0) return new Map();
  const { rows } = await db.query<PollRow>({
    name: 'list-polls',
    text: selectPolls('$3', 'select * from unnest($1::text[], $2::text[])'),
    values: [polls.map(({ conversation_id }) => conversation_id), polls.map(({ message_id }) => message_id), viewerId],
  });
  return new Map(rows.map((row) => [row.message_id, row]));
}

/** Completes a new message in its transaction. */
export async function setPoll(
  tx: Queryable,
  { conversation_id, seq }: Pick<MessageRow, 'conversation_id' | 'seq'>,
  poll: StoredPoll,
): Promise<void> {
  await tx.query('update messages set poll = $3 where conversation_id = $1 and seq = $2', [
    conversation_id,
    seq,
    JSON.stringify(poll),
  ]);
}

/** Replaces the votes of a user, whose message is locked. Returns whether they are different from before. */
export async function replaceVotes(
  tx: Queryable,
  { conversation_id, message_id }: MessageRow,
  { userId, options }: { userId: string; options: readonly string[] },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into poll_votes as v (conversation_id, message_id, user_id, options)
     select $1, $2, $3, $4::text[] where $4::text[] <> '{}' or exists (
       select from poll_votes where conversation_id = $1 and message_id = $2 and user_id = $3
     )
     on conflict (conversation_id, message_id, user_id) do update
       set options = excluded.options, voted_at = greatest(excluded.voted_at, v.voted_at + interval '1 ms')
       where v.options <> excluded.options`,
    [conversation_id, message_id, userId, options],
  );
  return rowCount === 1;
}

export const recordVotes = (tx: Queryable, message: MessageRow) =>
  updateMessage(tx, message, 'poll_version = poll_version + 1');

export const markPollClosed = (tx: Queryable, message: MessageRow, closedAt: string) =>
  updateMessage(
    tx,
    message,
    "poll = jsonb_set(poll, '{closedAt}', to_jsonb($3::text)), poll_version = poll_version + 1",
    closedAt,
  );
