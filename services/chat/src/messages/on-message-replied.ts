import type { EventOf } from '@atrium/proto-events/event';
import { messageRejected } from '@atrium/proto-events/events/chat';
import type { messageReplied } from '@atrium/proto-events/events/notifications';
import { content } from '@atrium/proto-events/http/chat/message-text';
import { actForUser, requireValid } from '@atrium/service-kit/directory/act-for-user';
import { notFound } from '@atrium/service-kit/errors/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { deterministicId, deterministicUuid } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { conversationOf, findMessage } from '../model/messages/message-repository.ts';
import { sendMessage } from './send-message.ts';

type Replied = EventOf<typeof messageReplied>;
type Destination = { conversation: string; thread?: string };

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

const trySend = (deps: Deps, data: Replied['data'], clientMessageId: string) =>
  actForUser({ directory: deps.directory, userId: data.userId, notFound: UNAVAILABLE }, async (caller) => {
    const text = requireValid(content.safeParse(data.text));
    const destination = await findDestination(deps.db, data);
    await sendMessage(deps, caller, { ...destination, content: text, clientMessageId });
  });

async function findDestination(db: Queryable, { place, placeId, userId }: Replied['data']): Promise<Destination> {
  if (place === 'conversation') return { conversation: placeId };
  const root = await findMessage(db, placeId, userId);
  if (!root?.is_participant) throw notFound('Message');
  // A reply that its conversation shows, too, belongs to a thread itself.
  return { conversation: conversationOf(root), thread: root.parent_id === null ? placeId : root.conversation_id };
}
