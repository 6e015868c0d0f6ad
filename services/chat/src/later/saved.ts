import type { Message } from '@atrium/proto-events/http/chat/messages';
import { MAX_SAVED, TOO_MANY_SAVED } from '@atrium/proto-events/http/chat/pins';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { MESSAGE_DELETED } from '../messages/change-message.ts';
import { presentListed, presentWithoutReaders } from '../messages/present-stored-message.ts';
import { findMessage, type MessageRow } from '../model/messages/message-repository.ts';
import {
  countSaved,
  deleteSaved,
  listSavedRows,
  lockUndeleted,
  upsertSaved,
} from '../model/messages/saved-messages.ts';
import { assertDueTime } from './due-time.ts';

type SaveParams = { id: string; isSaved: boolean };

export async function save(deps: Deps, caller: Caller, { id, isSaved }: SaveParams): Promise<Message> {
  const message = isSaved
    ? await deps.db.transaction((tx) => saveMessage(tx, caller, { id }))
    : await findToSave(deps.db, id, caller.userId, { includesDeleted: true });
  if (!isSaved) await deleteSaved(deps.db, id, caller.userId);
  return broadcastSaved(deps, caller, message);
}

/** Saves a message, and sets a reminder if a time is given. */
export async function saveMessage(
  tx: Queryable,
  { userId }: Caller,
  { id, remindAt }: { id: string; remindAt?: string },
): Promise<MessageRow> {
  const message = await findToSave(tx, id, userId);
  if (remindAt !== undefined) await assertDueTime(tx, remindAt);
  // It may have been deleted since.
  if (!(await lockUndeleted(tx, message))) throw new AppError('conflict', MESSAGE_DELETED);
  await upsertSaved(tx, message, userId, remindAt);
  if ((await countSaved(tx, userId)) > MAX_SAVED)
    throw new AppError('validation_failed', TOO_MANY_SAVED, { messages: [TOO_MANY_SAVED] });
  return message;
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
  const presented = await presentWithoutReaders(deps, caller, message);
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
