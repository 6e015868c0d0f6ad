import { MAX_LISTED_READERS } from '@atrium/proto-events/http/chat/messages';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type AttachmentRow, SELECT_ATTACHMENTS } from './attachment-repository.ts';
import { selectVisible } from './forwarding-repository.ts';
import type { MessageRow } from './message-repository.ts';
import { type PollRow, selectPolls } from './poll-repository.ts';
import { type ReactionRow, selectReactions } from './reaction-repository.ts';
import { selectThreads, type ThreadRow } from './thread-repository.ts';

export type PageRange = { before?: number | undefined; after?: number | undefined; changedAfter?: number | undefined };

export type MessagePage = {
  last_seq: number;
  /** Everything up to this revision is included. */
  revision: number;
  /** One more than the limit if there are more. Newest first, unless they follow a seq or a revision. */
  messages: MessageRow[];
  files: AttachmentRow[];
  readers: ReaderGroup[];
  reactions: ReactionRow[];
  threads: ThreadRow[];
  /** The ids of those that the viewer has saved. */
  saved: string[];
  polls: PollRow[];
  /** The conversations of forwarded messages in which the viewer is. */
  origins: string[];
};

/** Users with the same read position, or who have read everything on the page. */
export type ReaderGroup = { read_seq: number; readers: number; user_ids: string[]; sender_ids: string[] };

const COLUMNS = [
  'seq',
  'message_id',
  'sender_id',
  'content',
  'client_message_id',
  'created_at',
  'updated_at',
  'edited_at',
  'deleted_at',
  'reaction_count',
  'parent_id',
  'thread_id',
  'thread_version',
  'pinned_at',
  'pinned_by',
  'tasks',
  'summary',
  'forwarded',
  'poll',
] as const satisfies readonly (keyof MessageRow)[];

/** Selects by the primary key, so that query plans are stable. Exported for the query plan tests. */
export const RANGES = {
  after: `select ${COLUMNS} from messages
    where conversation_id = $1 and seq > $4 and seq < $5 order by seq limit $3::int + 1`,
  before: `select ${COLUMNS} from messages
    where conversation_id = $1 and seq < $4 order by seq desc limit $3::int + 1`,
  changed: `select ${COLUMNS}, rev from message_changes join messages using (conversation_id, seq)
    where conversation_id = $1 and rev > $4 order by rev limit $3::int + 1`,
};

const LAST_REVISION = 'select max(rev) from message_changes where conversation_id = $1';
const REVISIONS = {
  after: LAST_REVISION,
  before: LAST_REVISION,
  changed: 'select max(rev) from (select rev from page order by rev limit $3::int) as included',
};

/** Selects one user more than is listed, because the sender is excluded later. */
const selectReaders = (members: string, id: string) => `select read_seq, count(*) as readers,
    (array_agg(user_id order by user_id))[1:${MAX_LISTED_READERS + 1}] as user_ids,
    coalesce(array_agg(user_id) filter (where user_id in (select sender_id from page)), '{}') as sender_ids
  from (
    select user_id, least(greatest(last_read_seq, receipt_seq), (select max(seq) from page)) as read_seq from ${members}
    where ${id} = $1 and greatest(last_read_seq, receipt_seq) >= (select min(seq) from page)
  ) as read
  group by read_seq order by read_seq desc`;

const FILES = `${SELECT_ATTACHMENTS}
  where a.conversation_id = $1 and a.seq = any(array(select seq from page)) order by a.seq, a.position`;

const REACTIONS = selectReactions(
  '$2',
  'select coalesce(thread_id, $1), message_id from page where reaction_count > 0',
);
const POLLS = selectPolls('$2', 'select $1, message_id from page where poll is not null');
const ORIGINS = selectVisible('$2', "select forwarded->>'conversation' from page where forwarded is not null");
const THREADS = selectThreads('$2', 'select message_id from page where thread_version > 0');

const OF_CONVERSATION = {
  readers: selectReaders('participants', 'conversation_id'),
  source: `from participants p join conversations c on c.conversation_id = p.conversation_id
  where p.conversation_id = $1 and p.user_id = $2`,
};

const OF_THREAD = {
  readers: selectReaders('thread_followers', 'thread_id'),
  source: `from threads c join participants p on p.conversation_id = c.conversation_id
  where c.thread_id = $1 and p.user_id = $2`,
};

/** One statement, so that everything is consistent. Node parses JSON by column several times faster than rows. */
const selectPage = (kind: keyof typeof RANGES, { readers, source }: typeof OF_THREAD) => `with page as (${RANGES[kind]})
  select c.last_seq, (${REVISIONS[kind]}) as revision,
    (select json_build_object(${COLUMNS.map((column) => `'${column}', json_agg(${column})`)}) from page) as messages,
    (select json_agg(f) from (${FILES}) f) as files,
    (select json_agg(r) from (${readers}) r) as readers,
    (select json_agg(r) from (${REACTIONS}) r) as reactions,
    (select json_agg(t) from (${THREADS}) t) as threads,
    (select json_agg(message_id) from saved_messages where user_id = $2 and message_id in (select message_id from page)) as saved,
    (select json_agg(p) from (${POLLS}) p) as polls, (select json_agg(conversation_id) from (${ORIGINS}) o) as origins
  ${source}`;

const toPages = (source: typeof OF_THREAD) => ({
  after: selectPage('after', source),
  before: selectPage('before', source),
  changed: selectPage('changed', source),
});
const PAGES = { conversation: toPages(OF_CONVERSATION), thread: toPages(OF_THREAD) };

type Columns = { [Column in (typeof COLUMNS)[number]]: MessageRow[Column][] | null };
type PageRow = { last_seq: number; revision: number | null; messages: Columns } & {
  [List in 'files' | 'readers' | 'reactions' | 'threads' | 'saved' | 'polls' | 'origins']: MessagePage[List] | null;
};

type PageQuery = PageRange & { of: keyof typeof PAGES; id: string; viewerId: string; limit: number };

/** Returns undefined if the viewer is not a participant of the conversation, or of that of the thread. */
export async function findMessagePage(
  db: Queryable,
  { of, id, viewerId, limit, ...range }: PageQuery,
): Promise<MessagePage | undefined> {
  const { kind, bounds } = toBounds(range);
  const { rows } = await db.query<PageRow>({
    name: `message-page-${of}-${kind}`,
    text: PAGES[of][kind],
    values: [id, viewerId, limit, ...bounds],
  });
  const [row] = rows;
  return (
    row && {
      last_seq: row.last_seq,
      revision: row.revision ?? range.changedAfter ?? 0,
      messages: toRows(id, row.messages),
      files: row.files ?? [],
      readers: row.readers ?? [],
      reactions: row.reactions ?? [],
      threads: row.threads ?? [],
      saved: row.saved ?? [],
      polls: row.polls ?? [],
      origins: row.origins ?? [],
    }
  );
}

function toBounds({ changedAfter, after, before = Number.MAX_SAFE_INTEGER }: PageRange): {
  kind: keyof typeof RANGES;
  bounds: number[];
} {
  if (changedAfter !== undefined) return { kind: 'changed', bounds: [changedAfter] };
  return after === undefined ? { kind: 'before', bounds: [before] } : { kind: 'after', bounds: [after, before] };
}

/** The columns have the same length, or are all null. */
const toRows = (conversation_id: string, { seq: seqs, ...columns }: Columns) =>
  (seqs ?? []).map(
    (seq, index) =>
      ({
        conversation_id,
        seq,
        message_id: columns.message_id?.[index],
        sender_id: columns.sender_id?.[index],
        content: columns.content?.[index],
        client_message_id: columns.client_message_id?.[index],
        created_at: columns.created_at?.[index],
        updated_at: columns.updated_at?.[index],
        edited_at: columns.edited_at?.[index],
        deleted_at: columns.deleted_at?.[index],
        reaction_count: columns.reaction_count?.[index],
        parent_id: columns.parent_id?.[index],
        thread_id: columns.thread_id?.[index],
        thread_version: columns.thread_version?.[index],
        pinned_at: columns.pinned_at?.[index],
        pinned_by: columns.pinned_by?.[index],
        tasks: columns.tasks?.[index],
        summary: columns.summary?.[index],
        forwarded: columns.forwarded?.[index],
        poll: columns.poll?.[index],
      }) as MessageRow,
  );
