import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findAttachments } from '../model/attachment-repository.ts';
import {
  findLastRevision,
  type ListedRow,
  listChangedRows,
  listMessageRows,
  type Page,
} from '../model/message-repository.ts';
import { findReadState } from '../model/participant-repository.ts';
import { presentMessageFor } from '../model/present-message.ts';
import { findReaders, UNREAD } from './read-by.ts';

type ListMessagesQuery = Page & { conversation: string; changedAfter?: number | undefined; from?: string | undefined };

export async function listMessages(deps: Deps, caller: Caller, query: ListMessagesQuery) {
  const { db, directory } = deps;
  const { conversation, limit, changedAfter } = query;
  const [readState, rows] = await Promise.all([
    findReadState(db, conversation, caller.userId),
    findRows(db, { ...query, limit: limit + 1 }),
  ]);
  if (!readState) throw notFound('Conversation');
  const pageRows = rows.messages.slice(0, limit);
  if (changedAfter === undefined) pageRows.sort((a, b) => a.seq - b.seq);
  const [readers, files] = await Promise.all([findReaders(db, directory, pageRows), findAttachments(db, pageRows)]);
  return {
    data: pageRows.map((row) =>
      presentMessageFor(deps, row, {
        caller,
        readBy: readers.get(row.seq) ?? UNREAD,
        files: files.get(row.seq) ?? [],
      }),
    ),
    total: readState.last_seq,
    page: 1,
    totalPages: Math.ceil(readState.last_seq / limit),
    hasMore: rows.messages.length > limit,
    // Comes from the same statement as the messages, because a separate query could return a later revision.
    revision: pageRows.at(-1)?.revision ?? rows.revision,
  };
}

type FoundMessages = {
  messages: ListedRow[];
  /** Used for an empty page. */
  revision: number;
};

async function findRows(
  db: Deps['db'],
  { conversation, changedAfter, from, ...page }: ListMessagesQuery,
): Promise<FoundMessages> {
  if (changedAfter !== undefined) {
    const messages = await listChangedRows(db, conversation, { changedAfter, limit: page.limit });
    return { messages, revision: changedAfter };
  }
  const startRange = from === undefined ? {} : { after: (await findFirstSince(db, conversation, from)) - 1 };
  const readPage = () => listMessageRows(db, conversation, { ...page, ...startRange });
  const messages = await readPage();
  if (messages.length > 0) return { messages, revision: 0 };
  // Reads the revision before the page is read again, because a message that is sent in between may also be changed.
  const revision = await findLastRevision(db, conversation);
  return { messages: await readPage(), revision };
}

/** Uses binary search, because an index on time would slow down sends. Times grow with seqs to within milliseconds. */
const FIRST_SINCE = `with recursive span (low, high) as (
    select 1::bigint, last_seq + 1 from conversations where conversation_id = $1
    union all
    select case when m.created_at < $2 then m.seq + 1 else s.low end, case when m.created_at < $2 then s.high else s.middle end
    from (select low, high, (low + high) / 2 as middle from span where low < high) s
    left join lateral (
      select seq, created_at from messages where conversation_id = $1 and seq >= s.middle order by seq limit 1
    ) m on true
  )
  select low as seq from span where low >= high`;

/** Returns the next seq if there is no such message. */
export async function findFirstSince(db: Queryable, conversationId: string, from: string): Promise<number> {
  const { rows } = await db.query<{ seq: number }>({
    name: 'first-since',
    text: FIRST_SINCE,
    values: [conversationId, from],
  });
  return rows[0]?.seq ?? 1;
}
