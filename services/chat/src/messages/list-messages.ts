import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findMessagePage, type MessagePage, type PageRange } from '../model/messages/message-page.ts';
import { presentMessageFor } from '../model/messages/present-message.ts';
import { listReaders, UNREAD } from './read-by.ts';

type ListMessagesQuery = PageRange & { conversation: string; limit: number; from?: string | undefined };

export async function listMessages(deps: Deps, caller: Caller, { from, ...query }: ListMessagesQuery) {
  const { conversation, limit, changedAfter } = query;
  const isDated = from !== undefined && changedAfter === undefined;
  const start = isDated ? { after: (await findFirstSince(deps.db, conversation, from)) - 1 } : {};
  const page = await findMessagePage(deps.db, {
    ...query,
    ...start,
    of: 'conversation',
    id: conversation,
    viewerId: caller.userId,
  });
  if (!page) throw notFound('Conversation');
  return presentMessagePage(deps, caller, { page, limit, changedAfter });
}

/** Of a message without replies. */
export const EMPTY_PAGE: MessagePage = {
  last_seq: 0,
  revision: 0,
  messages: [],
  files: [],
  readers: [],
  reactions: [],
  threads: [],
  saved: [],
  polls: [],
  origins: [],
};

type PresentedPage = { page: MessagePage; limit: number; changedAfter: number | undefined };

export function presentMessagePage(deps: Deps, caller: Caller, { page, limit, changedAfter }: PresentedPage) {
  const messages = page.messages.slice(0, limit);
  if (changedAfter === undefined) messages.sort((a, b) => a.seq - b.seq);
  const readers = listReaders(deps.directory, page.readers, messages);
  const files = Map.groupBy(page.files, ({ seq }) => seq);
  const saved = new Set(page.saved);
  const polls = new Map(page.polls.map((votes) => [votes.message_id, votes]));
  const origins = new Set(page.origins);
  const threads = new Map(page.threads.map((thread) => [thread.thread_id, thread]));
  const reactions = Map.groupBy(page.reactions, ({ message_id }) => message_id);
  return {
    data: messages.map((row) =>
      presentMessageFor(deps, row, {
        caller,
        readBy: readers.get(row.seq) ?? UNREAD,
        files: files.get(row.seq) ?? [],
        reactions: reactions.get(row.message_id) ?? [],
        thread: threads.get(row.message_id),
        isSaved: saved.has(row.message_id),
        votes: polls.get(row.message_id),
        origins,
      }),
    ),
    total: page.last_seq,
    page: 1,
    totalPages: Math.ceil(page.last_seq / limit),
    hasMore: page.messages.length > limit,
    revision: page.revision,
  };
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
