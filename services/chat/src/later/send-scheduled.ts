import type { Message } from '@atrium/proto-events/http/chat/messages';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { isDatabaseConflict, isDatabaseUnavailable } from '@atrium/service-kit/postgres/database-errors';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { assertCanSend } from '../messages/assert-can-send.ts';
import { newMessage, REUSED_ID } from '../messages/new-message.ts';
import { broadcastSentMessage, insertMessageOrReply, presentSentMessage } from '../messages/send-message.ts';
import type { SentReply } from '../messages/send-reply.ts';
import { findMessage } from '../model/messages/message-repository.ts';
import {
  claimDue,
  deleteScheduledRow,
  listDueIds,
  lockScheduled,
  recordFailure,
  type ScheduledRow,
} from '../model/messages/scheduled-repository.ts';
import { asRetry, resolveSendConflicts } from '../model/messages/sending-repository.ts';
import { toDestination } from './scheduled.ts';

const DEACTIVATED = 'Your account was deactivated';
/** The same for both, so that it does not reveal the deletion to former participants. */
const UNAVAILABLE = 'The conversation was deleted, or you are no longer in it';

const FAILED = 'The message could not be sent';
const MAX_ATTEMPTS = 5;

type Sender = Pick<Caller, 'userId' | 'role'>;

/** Sends and removes it, or throws the reason why the sender cannot. */
async function sendAndRemove(tx: Queryable, sender: Sender, scheduled: ScheduledRow): Promise<SentReply> {
  const { scheduled_id, conversation_id, content, client_message_id } = scheduled;
  const destination = toDestination(scheduled);
  await assertCanSend(tx, sender, destination);
  // With the same id, so that a retry finds the message.
  const prepared = newMessage(sender, scheduled_id, {
    conversation: conversation_id,
    content,
    clientMessageId: client_message_id,
  });
  const sentMessage = await insertMessageOrReply(tx, prepared, destination);
  if (!sentMessage) throw notFound('Conversation');
  if (sentMessage.is_retry && sentMessage.content !== content) throw new AppError('conflict', REUSED_ID);
  await deleteScheduledRow(tx, scheduled_id, sender.userId);
  return sentMessage;
}

/** A retry returns the sent message. */
export async function sendScheduledNow(deps: Deps, caller: Caller, id: string): Promise<Message> {
  const result = await resolveSendConflicts(() =>
    deps.db.transaction(async (tx) => {
      const scheduled = await lockScheduled(tx, { id, userId: caller.userId });
      return scheduled ? sendAndRemove(tx, caller, scheduled) : 'not scheduled';
    }),
  );
  if (!result) throw notFound('Conversation');
  if (result !== 'not scheduled') broadcastSentMessage(deps, result);
  const sentMessage = result === 'not scheduled' ? await findSent(deps, caller, id) : result;
  deps.broadcaster.scheduledChanged(caller.userId, id);
  return presentSentMessage(deps, caller, sentMessage);
}

async function findSent({ db }: Deps, { userId }: Caller, id: string): Promise<SentReply> {
  const message = await findMessage(db, id, userId);
  if (!message?.is_participant || message.sender_id !== userId) throw notFound('Scheduled message');
  return asRetry(message);
}

/** The number of attempts that failed for unknown reasons, by the id of the scheduled message. */
export type FailedAttempts = Map<string, number>;

/** Sends messages that are due, each once and in its own transaction. Returns whether there may be more. */
export async function sendDueMessages(deps: Deps, limit: number, attempts: FailedAttempts): Promise<boolean> {
  const errors = new Map<string, unknown>();
  let ids: string[];
  do {
    // Those that failed remain due, and must not keep later ones from being sent.
    ids = await listDueIds(deps.db, { limit, exceptIds: [...errors.keys()] });
    for (const id of ids) await sendDue(deps, id, attempts).catch((error: unknown) => errors.set(id, error));
  } while (errors.size > 0 && ids.length === limit);
  if (errors.size > 0) throw new AggregateError(errors.values(), 'Failed to send scheduled messages');
  return ids.length === limit;
}

async function sendDue(deps: Deps, id: string, attempts: FailedAttempts): Promise<void> {
  try {
    await sendIfDue(deps, id);
    attempts.delete(id);
  } catch (error) {
    const failure = toFailure(error, id, attempts);
    if (failure === undefined) throw error;
    const userId = await recordFailure(deps.db, id, failure);
    attempts.delete(id);
    if (userId !== undefined) deps.broadcaster.scheduledChanged(userId, id);
  }
}

/** Returns undefined if it is tried again. An outage may last; any other error ends after a few attempts. */
function toFailure(error: unknown, id: string, attempts: FailedAttempts): string | undefined {
  if (error instanceof AppError && error.code !== 'unavailable')
    return error.code === 'not_found' ? UNAVAILABLE : error.message;
  if (error instanceof AppError || isDatabaseUnavailable(error) || isDatabaseConflict(error)) return undefined;
  const count = (attempts.get(id) ?? 0) + 1;
  attempts.set(id, count);
  return count < MAX_ATTEMPTS ? undefined : FAILED;
}

async function sendIfDue(deps: Deps, id: string): Promise<void> {
  const result = await resolveSendConflicts(() =>
    deps.db.transaction(async (tx) => {
      const scheduled = await claimDue(tx, id);
      if (!scheduled) return 'not due';
      return sendAndRemove(tx, findSender(deps, scheduled.user_id), scheduled);
    }),
  );
  if (result === 'not due') return;
  if (!result) throw notFound('Conversation');
  broadcastSentMessage(deps, result);
  deps.broadcaster.scheduledChanged(result.sender_id, id);
}

function findSender({ directory }: Deps, userId: string): Sender {
  const user = directory.user(userId);
  if (!user || !isActive(user)) throw new AppError('forbidden', DEACTIVATED);
  return { userId, role: user.role };
}
