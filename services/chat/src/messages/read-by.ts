import { MAX_LISTED_READERS, MAX_READERS, type ReadBy } from '@atrium/proto-events/http/chat/messages';
import type { UserSummary } from '@atrium/proto-events/people';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { ReaderGroup } from '../model/messages/message-page.ts';
import type { MessageRow } from '../model/messages/message-repository.ts';

type UserSource = Pick<Directory, 'summary'>;

export const UNREAD: ReadBy = { count: 0, users: [] };

/** Ends as soon as enough readers are found, by the primary key. */
const selectReaders = (members: string, id: string) => {
  const readers = `from ${members} where ${id} = $1 and greatest(last_read_seq, receipt_seq) >= $2 and user_id <> $3`;
  return `select (select count(*) ${readers}) as count,
    array(select user_id ${readers} order by user_id limit ${MAX_READERS}) as user_ids`;
};
const READERS_OF_MESSAGE = selectReaders('participants', 'conversation_id');
const READERS_OF_REPLY = selectReaders('thread_followers', 'thread_id');

export async function findMessageReaders(
  db: Queryable,
  directory: UserSource,
  { conversation_id, parent_id, seq, sender_id }: MessageRow,
): Promise<ReadBy> {
  const isReply = parent_id !== null;
  const { rows } = await db.query<{ count: number; user_ids: string[] }>({
    name: isReply ? 'find-reply-readers' : 'find-message-readers',
    text: isReply ? READERS_OF_REPLY : READERS_OF_MESSAGE,
    values: [conversation_id, seq, sender_id],
  });
  const { count = 0, user_ids = [] } = rows[0] ?? {};
  return { count, users: user_ids.map((id) => directory.summary(id)) };
}

/** Returns the readers of each message by seq. Those of a message include those of every newer one. */
export function listReaders(
  directory: UserSource,
  groups: readonly ReaderGroup[],
  messages: readonly MessageRow[],
): ReadonlyMap<number, ReadBy> {
  const totals = { readers: 0, users: [] as UserSummary[], senders: new Set<string>() };
  let groupIndex = 0;
  const readBySeq = new Map<number, ReadBy>();
  for (const { seq, sender_id } of messages.toSorted((a, b) => b.seq - a.seq)) {
    for (let group = groups[groupIndex]; group && group.read_seq >= seq; group = groups[++groupIndex]) {
      totals.readers += group.readers;
      if (totals.users.length <= MAX_LISTED_READERS)
        totals.users.push(...group.user_ids.map((id) => directory.summary(id)));
      for (const id of group.sender_ids) totals.senders.add(id);
    }
    readBySeq.set(seq, {
      count: totals.readers - (totals.senders.has(sender_id) ? 1 : 0),
      users: totals.users.filter(({ _id }) => _id !== sender_id).slice(0, MAX_LISTED_READERS),
    });
  }
  return readBySeq;
}
