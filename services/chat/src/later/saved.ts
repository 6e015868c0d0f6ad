import type { Message } from '@atrium/proto-events/http/chat/messages';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { MESSAGE_DELETED } from '../messages/change-message.ts';
import { presentListed, presentStoredMessage } from '../messages/present-stored-message.ts';
import { findMessage, type MessageRow } from '../model/messages/message-repository.ts';
import { deleteSaved, insertSaved, listSavedRows } from '../model/messages/saved-messages.ts';

type SaveParams = { id: string; isSaved: boolean };

export async function save(deps: Deps, caller: Caller, { id, isSaved }: SaveParams): Promise<Message> {
  const message = await findToSave(deps.db, id, caller.userId, { includesDeleted: !isSaved });
  await (isSaved ? insertSaved(deps.db, message, caller.userId) : deleteSaved(deps.db, id, caller.userId));
  return broadcastSaved(deps, caller, message);
}

export async function findToSave(
  db: Queryable,
  id: string,
  userId: string,
  { includesDeleted = false } = {},
): Promise<MessageRow> {
  const message = await findMessage(db, id, userId);
  if (!message?.is_participant) throw notFound('Message');
  if (message.deleted_at !== null && !includesDeleted) throw new AppError('conflict', MESSAGE_DELETED);
  return message;
}

/** Broadcasts to the caller's own devices, and presents the message. */
export async function broadcastSaved(deps: Deps, caller: Caller, message: MessageRow): Promise<Message> {
  const presented = await presentStoredMessage(deps, caller, message);
  const { _id, conversation, thread, saved = false } = presented;
  deps.broadcaster.savedChanged(caller.userId, { conversation, message: _id, thread: thread?.root, saved });
  return presented;
}

export async function listSaved(deps: Deps, caller: Caller, query: { page: number; limit: number }) {
  const { rows, total } = await listSavedRows(deps.db, caller.userId, toLimits(query));
  const messages = await presentListed(
    deps,
    caller,
    rows.map(({ message }) => message),
  );
  const items = messages.map((message, index) => ({
    _id: message._id,
    message,
    savedAt: rows[index]?.saved_at.toISOString() ?? message.createdAt,
    remindAt: rows[index]?.remind_at?.toISOString() ?? null,
  }));
  return toPage(items, total, query);
}
