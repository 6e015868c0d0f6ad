import { messageChanged } from '@atrium/proto-events/events/chat';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { findRevision } from './message-changes.ts';
import { findMessage, markMessageDeleted } from './message-repository.ts';
import { DELETE_REFUSED, mayDelete, mayKnow } from './policy.ts';

/** Deletes one's own message, or any as an administrator. It stays as a tombstone without its files, so that no seq is ever missing. */
export async function deleteMessage({ db, announce, files }: Deps, caller: Caller, id: string): Promise<void> {
  const gone = await db.transaction(async (tx) => {
    const message = await findMessage(tx, id, caller.userId);
    if (!message || !mayKnow(caller, message)) throw notFound('Message');
    if (!mayDelete(caller, message)) throw new AppError('forbidden', DELETE_REFUSED);
    if (!(await markMessageDeleted(tx, message))) return undefined;
    await appendEvent(tx, {
      event: messageChanged,
      data: { conversationId: message.conversation_id, messageId: id, seq: message.seq, action: 'deleted' },
      aggregate: id,
      actorId: caller.userId,
    });
    const revision = await findRevision(tx, message);
    return { conversation: message.conversation_id, message: id, seq: message.seq, ...(revision && { revision }) };
  });
  if (!gone) return;
  // Its files go with it, by the database itself (migration 0005).
  files.remover.wake();
  announce.messageDeleted(gone, await announce.ready(gone.conversation));
}
