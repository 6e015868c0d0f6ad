import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { ConversationLinks, listLinks as contract } from '@atrium/proto-events/http/chat/messages';
import { findWebAddresses } from '@atrium/proto-events/links';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findReadState } from '../model/conversations/participant-repository.ts';
import { COLUMNS, type MessageRow } from '../model/messages/message-repository.ts';
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
    listRowsWithLinks(db, id, { limit: limit + 1, before }),
  ]);
  if (!readState) throw notFound('Conversation');
  const pageRows = rows.slice(0, limit);
  return {
    // The query also matches incomplete addresses.
    data: pageRows.map((row) => presentLinks(directory, row)).filter(({ links }) => links.length > 0),
    next: rows.length > limit ? (pageRows.at(-1)?.seq ?? null) : null,
  };
}

function presentLinks(directory: Deps['directory'], row: MessageRow): ConversationLinks {
  const { _id, conversation, seq, sender, createdAt, content } = presentMessage(directory, row);
  const links = findWebAddresses(content);
  return { conversation, message: _id, seq, links, sender, createdAt };
}

/** The condition matches the index. */
async function listRowsWithLinks(
  db: Queryable,
  conversation: string,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number | undefined },
): Promise<MessageRow[]> {
  const { rows } = await db.query<MessageRow>({
    name: 'list-links',
    text: `select ${COLUMNS} from messages
      where conversation_id = $1 and seq < $2 and content ~* '(https?://|www\\.)[^[:space:]<>"'']' and deleted_at is null
      order by seq desc limit $3`,
    values: [conversation, before, limit],
  });
  return rows;
}
