import type { Limits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { ConversationRow } from './conversation-repository.ts';

type ChannelRow = Pick<ConversationRow, 'conversation_id' | 'title' | 'purpose' | 'participant_count'> & {
  joined: boolean;
};

type ChannelQuery = Limits & { patterns: string[]; viewerId: string; isArchived: boolean };

/** Lists public channels by name. */
export async function listChannelRows(db: Queryable, query: ChannelQuery) {
  const { patterns, viewerId, isArchived, limit, offset } = query;
  // One statement, so that the page and the total are of the same time.
  const { rows } = await db.query<{ total: number; channels: ChannelRow[] | null }>({
    name: 'list-channels',
    text: `with found as (
        select * from conversations
        where visibility = 'public' and search like all ($1::text[]) and (archived_at is not null) = $3
      )
      select (select count(*) from found) as total, (
        select json_agg(listed) from (
          select f.conversation_id, f.title, f.purpose, f.participant_count, p.user_id is not null as joined
          from found f left join participants p on p.conversation_id = f.conversation_id and p.user_id = $2
          order by f.search collate "C", f.conversation_id limit $4 offset $5
        ) as listed
      ) as channels`,
    values: [patterns, viewerId, isArchived, limit, offset],
  });
  return { rows: rows[0]?.channels ?? [], total: rows[0]?.total ?? 0 };
}
