import { MAX_LISTED_READERS, MAX_READERS, type ReadBy } from '@atrium/proto-events/http/chat-messages';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { MessageRow } from '../model/message-repository.ts';

type MessageKey = Pick<MessageRow, 'conversation_id' | 'seq' | 'sender_id'>;
type Group = { read_seq: number; readers: number; user_ids: string[]; sender_ids: string[] };

export const UNREAD: ReadBy = { count: 0, users: [] };

/** Groups readers by their read position, or by the last message of the page if they have read further. */
const GROUPS = `select read_seq, count(*) as readers, (array_agg(user_id order by user_id))[1:$5] as user_ids,
    coalesce(array_agg(user_id) filter (where user_id = any($4)), '{}') as sender_ids
  from (
    select user_id, least(last_read_seq, $3) as read_seq from participants where conversation_id = $1 and last_read_seq >= $2
  ) as read
  group by read_seq order by read_seq desc`;

export async function findReaderRows(db: Queryable, { messages, limit }: ReadersQuery): Promise<Group[]> {
  const seqs = messages.map(({ seq }) => seq);
  const senders = [...new Set(messages.map(({ sender_id }) => sender_id))];
  const { rows } = await db.query<Group>({
    name: 'find-readers',
    text: GROUPS,
    // Selects one user more than is listed, because the sender is excluded later.
    values: [messages[0]?.conversation_id, Math.min(...seqs), Math.max(...seqs), senders, limit + 1],
  });
  return rows;
}

export async function findMessageReaders(db: Queryable, directory: Directory, message: MessageKey): Promise<ReadBy> {
  const readers = await countReaders(db, directory, { messages: [message], limit: MAX_READERS });
  return readers.get(message.seq) ?? UNREAD;
}

export function findReaders(db: Queryable, directory: Directory, messages: readonly MessageKey[]) {
  return countReaders(db, directory, { messages, limit: MAX_LISTED_READERS });
}

type ReadersQuery = { messages: readonly MessageKey[]; limit: number };

async function countReaders(
  db: Queryable,
  directory: Directory,
  { messages, limit }: ReadersQuery,
): Promise<Map<number, ReadBy>> {
  if (messages.length === 0) return new Map();
  const groups = await findReaderRows(db, { messages, limit });
  return accumulateReaders(directory, groups, { messages: messages.toSorted((a, b) => b.seq - a.seq), limit });
}

/** The readers of a message include those of every newer message, so counts accumulate from newest to oldest. */
function accumulateReaders(
  directory: Directory,
  groups: readonly Group[],
  { messages: newestFirst, limit }: ReadersQuery,
): Map<number, ReadBy> {
  const totals = { readers: 0, user_ids: [] as string[], senders: new Set<string>() };
  let groupIndex = 0;
  const readBySeq = new Map<number, ReadBy>();
  for (const { seq, sender_id } of newestFirst) {
    for (let group = groups[groupIndex]; group && group.read_seq >= seq; group = groups[++groupIndex]) {
      totals.readers += group.readers;
      if (totals.user_ids.length <= limit) totals.user_ids.push(...group.user_ids);
      for (const id of group.sender_ids) totals.senders.add(id);
    }
    const readerIds = totals.user_ids.filter((id) => id !== sender_id).slice(0, limit);
    readBySeq.set(seq, {
      count: totals.readers - (totals.senders.has(sender_id) ? 1 : 0),
      users: readerIds.map((id) => presentName(directory, id)),
    });
  }
  return readBySeq;
}

/** Returns the name only, because a page shows hundreds of users. */
function presentName(directory: Directory, id: string) {
  const { _id, firstName, lastName, deleted } = directory.summary(id);
  return { _id, firstName, lastName, ...(deleted && { deleted }) };
}
