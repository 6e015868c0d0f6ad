import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { findAttachments } from '../attachments/attachment-repository.ts';
import { findReadState } from '../conversations/participant-repository.ts';
import type { Deps } from '../deps.ts';
import { findFirstSince } from './find-by-time.ts';
import { findLastRevision, listChangedRows } from './message-changes.ts';
import { type ListedRow, listMessageRows, type Page } from './message-repository.ts';
import { answerMessage } from './present-message.ts';
import { findReaders, UNREAD } from './read-by.ts';

type Asked = Page & { conversation: string; changedAfter?: number | undefined; from?: string | undefined };

/** The newest messages, those before or after a seq or since a time, or those changed since a revision. Only participants read. */
export async function listMessages(deps: Deps, caller: Caller, asked: Asked) {
  const { db, directory } = deps;
  const { conversation, limit, changedAfter } = asked;
  const [standing, rows] = await Promise.all([
    findReadState(db, conversation, caller.userId),
    findRows(db, { ...asked, limit: limit + 1 }),
  ]);
  if (!standing) throw notFound('Conversation');
  const shown = rows.messages.slice(0, limit);
  if (changedAfter === undefined) shown.sort((a, b) => a.seq - b.seq);
  const [readers, files] = await Promise.all([findReaders(db, directory, shown), findAttachments(db, shown)]);
  return {
    data: shown.map((row) =>
      answerMessage(deps, row, {
        viewer: caller,
        readBy: readers.get(row.seq) ?? UNREAD,
        files: files.get(row.seq) ?? [],
      }),
    ),
    total: standing.last_seq,
    page: 1,
    totalPages: Math.ceil(standing.last_seq / limit),
    hasMore: rows.messages.length > limit,
    // That of the statement which read them: one that was asked for beside it could be ahead of them.
    revision: shown.at(-1)?.revision ?? rows.revision,
  };
}

/** `revision` for a page without messages: nothing that it misses has changed up to there. */
type Found = { messages: ListedRow[]; revision: number };

async function findRows(db: Deps['db'], { conversation, changedAfter, from, ...page }: Asked): Promise<Found> {
  if (changedAfter !== undefined) {
    const messages = await listChangedRows(db, conversation, { changedAfter, limit: page.limit });
    return { messages, revision: changedAfter };
  }
  const since = from === undefined ? {} : { after: (await findFirstSince(db, conversation, from)) - 1 };
  const read = () => listMessageRows(db, conversation, { ...page, ...since });
  const messages = await read();
  if (messages.length > 0) return { messages, revision: 0 };
  // Before the page is read again, as what comes meanwhile may be changed at once.
  const revision = await findLastRevision(db, conversation);
  return { messages: await read(), revision };
}
