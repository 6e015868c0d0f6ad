import type { EventOf } from '@atrium/proto-events/event';
import { messageRejected } from '@atrium/proto-events/events/chat';
import type { messageReplied } from '@atrium/proto-events/events/notifications';
import { content } from '@atrium/proto-events/http/chat/message-text';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { deterministicId, deterministicUuid } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { conversationOf, findMessage } from '../model/messages/message-repository.ts';
import { sendMessage } from './send-message.ts';

type Replied = EventOf<typeof messageReplied>;
type Destination = { conversation: string; thread?: string };

const DEACTIVATED = 'Your account was deactivated';
/** The same for both, so that it does not reveal the deletion to former participants. */
const UNAVAILABLE = 'The conversation was deleted, or you are no longer in it';

/** Sends a reply by email as a message of its user, with their present permissions, or publishes why it was rejected. */
export const sendEmailReply =
  (deps: Deps) =>
  async ({ id, data }: Replied): Promise<void> => {
    const reason = await trySend(deps, data, deterministicUuid(`email:${id}`));
    if (reason === undefined) return;
    const { placeId, userId } = data;
    await deps.db.transaction((tx) =>
      appendEvent(tx, {
        event: messageRejected,
        data: { placeId, userId, reason },
        aggregate: placeId,
        actorId: userId,
        id: deterministicId(`${id}:rejected`),
      }),
    );
  };

/** Returns the error message of an equivalent API call; undefined if the message was sent. */
async function trySend(deps: Deps, data: Replied['data'], clientMessageId: string): Promise<string | undefined> {
  const user = deps.directory.user(data.userId);
  if (!user || !isActive(user)) return DEACTIVATED;
  const text = content.safeParse(data.text);
  if (!text.success) return text.error.issues[0]?.message ?? 'The text is invalid';
  try {
    const destination = await findDestination(deps.db, data);
    const caller = { userId: user._id, role: user.role, sessionId: '' };
    await sendMessage(deps, caller, { ...destination, content: text.data, clientMessageId });
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return error.code === 'not_found' ? UNAVAILABLE : error.message;
  }
}

async function findDestination(db: Queryable, { place, placeId, userId }: Replied['data']): Promise<Destination> {
  if (place === 'conversation') return { conversation: placeId };
  const root = await findMessage(db, placeId, userId);
  if (!root?.is_participant) throw notFound('Message');
  // A reply that its conversation shows, too, belongs to a thread itself.
  return { conversation: conversationOf(root), thread: root.parent_id === null ? placeId : root.conversation_id };
}
