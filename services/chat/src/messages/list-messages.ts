import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { findAttachments } from '../attachments/attachment-repository.ts';
import { findStanding } from '../conversations/participant-repository.ts';
import type { Deps } from '../deps.ts';
import { findFirstSince } from './find-by-time.ts';
import { listChangedRows } from './message-changes.ts';
import { type ListedRow, listMessageRows, type Page } from './message-repository.ts';
import { answerMessage } from './present-message.ts';
import { findReaders, UNREAD } from './read-by.ts';

type Asked = Page & { conversation: string; changedAfter?: number | undefined; from?: string | undefined };

/** The newest messages, those before or after a seq or since a time, or those changed since a revision. Only participants read. */
export async function listMessages(deps: Deps, caller: Caller, asked: Asked) {
  const { db, directory } = deps;
  const { conversation, limit, changedAfter } = asked;
  const [standing, rows] = await Promise.all([
    findStanding(db, conversation, caller.userId),
    findRows(db, { ...asked, limit: limit + 1 }),
  ]);
  if (!standing) throw notFound('Conversation');
  const shown = rows.slice(0, limit);
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
    hasMore: rows.length > limit,
    // That of the statement which read them: one that was asked for beside it could be ahead of them. Of none, nothing has changed.
    revision: shown.at(-1)?.revision ?? changedAfter ?? 0,
  };
}

async function findRows(db: Deps['db'], { conversation, changedAfter, from, ...page }: Asked): Promise<ListedRow[]> {
  if (changedAfter !== undefined) return listChangedRows(db, conversation, { changedAfter, limit: page.limit });
  const since = from === undefined ? {} : { after: (await findFirstSince(db, conversation, from)) - 1 };
  return listMessageRows(db, conversation, { ...page, ...since });
}
