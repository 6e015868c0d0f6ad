import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { mentionedUsers } from './mentioned-users.ts';
import type { MessageRow } from './message-repository.ts';

/** Selects the seqs of the last `max` unread mentions of participant `p` and their groups, null if there are none. */
export const selectUnreadMentions = (max: number) => `(
  select json_agg(seq order by seq) from (
    select distinct m.seq from mentions m
    where m.conversation_id = p.conversation_id and m.seq > p.last_read_seq
      and m.user_id = any(array[p.user_id, ''] || array(select group_id from group_members g where g.user_id = p.user_id))
      and m.sender_id <> p.user_id
    order by m.seq desc limit ${max}
  ) as unread
)`;

/** Records the mentions of messages after a change of their content. */
export async function replaceMentions(tx: Queryable, rows: readonly MessageRow[]): Promise<void> {
  for (const { conversation_id, seq, sender_id, content } of rows) {
    await tx.query('delete from mentions where conversation_id = $1 and seq = $2', [conversation_id, seq]);
    const users = mentionedUsers(content);
    if (users.length > 0)
      await tx.query(
        'insert into mentions (conversation_id, user_id, seq, sender_id) select $1, unnest($2::text[]), $3, $4',
        [conversation_id, users, seq, sender_id],
      );
  }
}
