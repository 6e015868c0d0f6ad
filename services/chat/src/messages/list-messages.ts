import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { findStanding } from '../conversations/participant-repository.ts';
import type { Deps } from '../deps.ts';
import { listMessageRows, type Page } from './message-repository.ts';
import { answerMessage } from './present-message.ts';
import { findReaders, UNREAD } from './read-by.ts';

/** The newest messages, or those before or after a seq; always the oldest of them first. Only participants read. */
export async function listMessages(
  { db, directory }: Deps,
  caller: Caller,
  { conversation, ...page }: Page & { conversation: string },
) {
  const [standing, rows] = await Promise.all([
    findStanding(db, conversation, caller.userId),
    listMessageRows(db, conversation, { ...page, limit: page.limit + 1 }),
  ]);
  if (!standing) throw notFound('Conversation');
  const shown = rows.slice(0, page.limit).sort((a, b) => a.seq - b.seq);
  const readers = await findReaders(db, directory, shown);
  return {
    data: shown.map((row) => answerMessage(directory, row, { viewer: caller, readBy: readers.get(row.seq) ?? UNREAD })),
    total: standing.last_seq,
    page: 1,
    totalPages: Math.ceil(standing.last_seq / page.limit),
    hasMore: rows.length > page.limit,
  };
}
