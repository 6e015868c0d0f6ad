import { messageChanged } from '@atrium/proto-events/events/chat';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { findRevision } from './message-changes.ts';
import { findMessage, markMessageDeleted } from './message-repository.ts';
import { canDelete, canSee, DELETE_DENIED } from './policy.ts';

/** Leaves a tombstone, so that seqs have no gaps. */
export async function deleteMessage({ db, broadcaster, files }: Deps, caller: Caller, id: string): Promise<void> {
  const deleted = await db.transaction(async (tx) => {
    const message = await findMessage(tx, id, caller.userId);
    if (!message || !canSee(caller, message)) throw notFound('Message');
    if (!canDelete(caller, message)) throw new AppError('forbidden', DELETE_DENIED);
    if (!(await markMessageDeleted(tx, message))) return undefined;
    const revision = await findRevision(tx, message);
    await appendEvent(tx, {
      event: messageChanged,
      data: {
        conversationId: message.conversation_id,
        messageId: id,
        seq: message.seq,
        action: 'deleted',
        revision,
      },
      aggregate: id,
      actorId: caller.userId,
    });
    return { conversation: message.conversation_id, message: id, seq: message.seq, ...(revision && { revision }) };
  });
  if (!deleted) return;
  // A trigger has released its files.
  files.remover.wake();
  broadcaster.messageDeleted(deleted, await broadcaster.listFormerParticipants(deleted.conversation));
}
