import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { ConversationLinks, listLinks as contract } from '@atrium/proto-events/http/chat/messages';
import { findWebAddresses } from '@atrium/proto-events/links';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findReadState } from '../model/conversations/participant-repository.ts';
import { COLUMNS, type MessageRow } from '../model/messages/message-repository.ts';
import { fromMicroseconds, toMicroseconds } from '../model/messages/microseconds.ts';
import { presentMessage } from '../model/messages/present-message.ts';

type ListLinksParams = { id: string } & RequestOf<typeof contract>['query'];

export async function listLinks(
  { db, directory }: Pick<Deps, 'db' | 'directory'>,
  caller: Caller,
  params: ListLinksParams,
) {
  const { id, limit, before } = params;
  const [readState, rows] = await Promise.all([
    findReadState(db, id, caller.userId),
    listRowsWithLinks(db, id, { limit: limit + 1, before: parseCursor(before) }),
  ]);
  if (!readState) throw notFound('Conversation');
  const pageRows = rows.slice(0, limit);
  const lastRow = pageRows.at(-1);
  return {
    // The query also matches incomplete addresses.
    data: pageRows.map((row) => presentLinks(directory, row)).filter(({ links }) => links.length > 0),
    next: lastRow && rows.length > limit ? `${lastRow.microseconds}.${lastRow.message_id}` : null,
  };
}

function presentLinks(directory: Deps['directory'], row: MessageRow): ConversationLinks {
  const { _id, conversation, seq, sender, createdAt, content, thread } = presentMessage(directory, row);
  const links = findWebAddresses(content);
  return { conversation, message: _id, thread: thread?.root ?? null, seq, links, sender, createdAt };
}

/** Of a message in the list, which is ordered by time. */
type Position = { microseconds: number; id: string };

const END: Position = { microseconds: Number.MAX_SAFE_INTEGER, id: '' };

function parseCursor(cursor: string | undefined): Position | undefined {
  const [microseconds, id] = cursor?.split('.') ?? [];
  return id === undefined ? undefined : { microseconds: Number(microseconds), id };
}

type RowWithLinks = MessageRow & { microseconds: number };

/** The conditions match the index. Omits copies of replies in the conversation. */
async function listRowsWithLinks(
  db: Queryable,
  conversation: string,
  { limit, before = END }: { limit: number; before: Position | undefined },
): Promise<RowWithLinks[]> {
  const { rows } = await db.query<RowWithLinks>({
    name: 'list-links',
    text: `select ${COLUMNS}, ${toMicroseconds('created_at')} as microseconds from messages
      where coalesce(parent_id, conversation_id) = $1 and (created_at, message_id) < (${fromMicroseconds('$2')}, $3)
        and content ~* '(https?://|www\\.)[^[:space:]<>"'']' and deleted_at is null and thread_id is null
      order by created_at desc, message_id desc limit $4`,
    values: [conversation, before.microseconds, before.id, limit],
  });
  return rows;
}
