import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { ConversationLinks, listLinks as contract } from '@atrium/proto-events/http/chat-messages';
import { findWebAddresses } from '@atrium/proto-events/links';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { findReadState } from '../conversations/participant-repository.ts';
import type { Deps } from '../deps.ts';
import { listRowsWithLinks, type MessageRow } from './message-repository.ts';
import { presentMessage } from './present-message.ts';

type ListLinksParams = { id: string } & RequestOf<typeof contract>['query'];

/** Newest first; participants only. */
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
  const shown = rows.slice(0, limit);
  return {
    // The query also matches incomplete addresses.
    data: shown.map((row) => linksOf(directory, row)).filter(({ links }) => links.length > 0),
    next: rows.length > limit ? (shown.at(-1)?.seq ?? null) : null,
  };
}

function linksOf(directory: Deps['directory'], row: MessageRow): ConversationLinks {
  const { _id, conversation, seq, sender, createdAt, content } = presentMessage(directory, row);
  const links = findWebAddresses(content);
  return { conversation, message: _id, seq, links, sender, createdAt };
}
