import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { findAttachments } from '../attachments/attachment-repository.ts';
import { findReadState } from '../conversations/participant-repository.ts';
import type { Deps } from '../deps.ts';
import { findFirstSince } from './find-by-time.ts';
import { findLastRevision, listChangedRows } from './message-changes.ts';
import { type ListedRow, listMessageRows, type Page } from './message-repository.ts';
import { presentMessageFor } from './present-message.ts';
import { findReaders, UNREAD } from './read-by.ts';

type ListMessagesQuery = Page & { conversation: string; changedAfter?: number | undefined; from?: string | undefined };

/** The newest messages, those before or after a seq or since a time, or those changed since a revision. Participants only. */
export async function listMessages(deps: Deps, caller: Caller, query: ListMessagesQuery) {
  const { db, directory } = deps;
  const { conversation, limit, changedAfter } = query;
  const [readState, rows] = await Promise.all([
    findReadState(db, conversation, caller.userId),
    findRows(db, { ...query, limit: limit + 1 }),
  ]);
  if (!readState) throw notFound('Conversation');
  const shown = rows.messages.slice(0, limit);
  if (changedAfter === undefined) shown.sort((a, b) => a.seq - b.seq);
  const [readers, files] = await Promise.all([findReaders(db, directory, shown), findAttachments(db, shown)]);
  return {
    data: shown.map((row) =>
      presentMessageFor(deps, row, {
        viewer: caller,
        readBy: readers.get(row.seq) ?? UNREAD,
        files: files.get(row.seq) ?? [],
      }),
    ),
    total: readState.last_seq,
    page: 1,
    totalPages: Math.ceil(readState.last_seq / limit),
    hasMore: rows.messages.length > limit,
    // From the same statement as the messages: a separate query could return a later revision.
    revision: shown.at(-1)?.revision ?? rows.revision,
  };
}

/** `revision`: for an empty page. */
type Found = { messages: ListedRow[]; revision: number };

async function findRows(
  db: Deps['db'],
  { conversation, changedAfter, from, ...page }: ListMessagesQuery,
): Promise<Found> {
  if (changedAfter !== undefined) {
    const messages = await listChangedRows(db, conversation, { changedAfter, limit: page.limit });
    return { messages, revision: changedAfter };
  }
  const since = from === undefined ? {} : { after: (await findFirstSince(db, conversation, from)) - 1 };
  const read = () => listMessageRows(db, conversation, { ...page, ...since });
  const messages = await read();
  if (messages.length > 0) return { messages, revision: 0 };
  // Before the page is read again, because a message that is sent in between may also be changed.
  const revision = await findLastRevision(db, conversation);
  return { messages: await read(), revision };
}
