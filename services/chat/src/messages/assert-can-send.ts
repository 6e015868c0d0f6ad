import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findConversation } from '../model/conversations/conversation-repository.ts';
import { ARCHIVED, canPost, POSTING_DENIED } from '../model/policy.ts';
import { assertCanHaveThread, findRoot } from './thread-root.ts';

type Destination = { conversation: string; thread?: string | undefined; alsoInConversation: boolean };

/** Throws the error that sending a message there would cause. */
export async function assertCanSend(
  db: Queryable,
  caller: Pick<Caller, 'userId' | 'role'>,
  { conversation, thread, alsoInConversation }: Destination,
): Promise<void> {
  const row = await findConversation(db, conversation, caller.userId, 0);
  if (!row || row.last_read_seq === null) throw notFound('Conversation');
  if (row.archived_at !== null) throw new AppError('conflict', ARCHIVED);
  if (thread !== undefined)
    assertCanHaveThread(await findRoot(db, { id: thread, userId: caller.userId, conversation }));
  if ((thread === undefined || alsoInConversation) && !canPost(caller, row))
    throw new AppError('forbidden', POSTING_DENIED);
}
