import { LISTED_READERS, MOST_READERS, type ReadBy } from '@atrium/proto-events/http/chat-messages';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { MessageRow } from './message-repository.ts';

type Place = Pick<MessageRow, 'conversation_id' | 'seq' | 'sender_id'>;
type Group = { mark: number; readers: number; user_ids: string[]; sender_ids: string[] };

/** Nobody but its sender has seen it yet. */
export const UNREAD: ReadBy = { count: 0, users: [] };

/** People by the message of a page up to which they have read, as many of them by name as are asked for. */
const GROUPS = `select mark, count(*) as readers, (array_agg(user_id order by user_id))[1:$5] as user_ids,
    coalesce(array_agg(user_id) filter (where user_id = any($4)), '{}') as sender_ids
  from (
    select user_id, least(last_read_seq, $3) as mark from participants where conversation_id = $1 and last_read_seq >= $2
  ) as read
  group by mark order by mark desc`;

/** How the watermarks of a conversation lie on some of its messages, in one query for all of them. */
export async function findReaderRows(db: Queryable, { messages, most }: Asked): Promise<Group[]> {
  const seqs = messages.map(({ seq }) => seq);
  const senders = [...new Set(messages.map(({ sender_id }) => sender_id))];
  const { rows } = await db.query<Group>({
    name: 'find-readers',
    text: GROUPS,
    // One name more than is shown, as the sender's own is left out.
    values: [messages[0]?.conversation_id, Math.min(...seqs), Math.max(...seqs), senders, most + 1],
  });
  return rows;
}

/** Who has read this message. */
export async function findReadersOf(db: Queryable, directory: Directory, message: Place): Promise<ReadBy> {
  const readers = await countReaders(db, directory, { messages: [message], most: MOST_READERS });
  return readers.get(message.seq) ?? UNREAD;
}

/** Who has read each message of a page of one conversation, by seq; of a list each names a few. */
export function findReaders(db: Queryable, directory: Directory, messages: readonly Place[]) {
  return countReaders(db, directory, { messages, most: LISTED_READERS });
}

type Asked = { messages: readonly Place[]; most: number };

async function countReaders(
  db: Queryable,
  directory: Directory,
  { messages, most }: Asked,
): Promise<Map<number, ReadBy>> {
  if (messages.length === 0) return new Map();
  const groups = await findReaderRows(db, { messages, most });
  return countUp(directory, groups, { messages: messages.toSorted((a, b) => b.seq - a.seq), most });
}

/** Whoever has read a message has read all before it: the readers of an older one are those of a newer one and some more. */
function countUp(
  directory: Directory,
  groups: readonly Group[],
  { messages: newestFirst, most }: Asked,
): Map<number, ReadBy> {
  const read = { readers: 0, user_ids: [] as string[], senders: new Set<string>() };
  let next = 0;
  const found = new Map<number, ReadBy>();
  for (const { seq, sender_id } of newestFirst) {
    for (let group = groups[next]; group && group.mark >= seq; group = groups[++next]) {
      read.readers += group.readers;
      if (read.user_ids.length <= most) read.user_ids.push(...group.user_ids);
      for (const id of group.sender_ids) read.senders.add(id);
    }
    const others = read.user_ids.filter((id) => id !== sender_id).slice(0, most);
    found.set(seq, {
      count: read.readers - (read.senders.has(sender_id) ? 1 : 0),
      users: others.map((id) => nameOf(directory, id)),
    });
  }
  return found;
}

/** A name alone: a page shows hundreds of them. */
function nameOf(directory: Directory, id: string) {
  const { _id, firstName, lastName, deleted } = directory.summary(id);
  return { _id, firstName, lastName, ...(deleted && { deleted }) };
}
