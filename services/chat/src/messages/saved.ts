import type { Message } from '@atrium/proto-events/http/chat-messages';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { findMessage } from '../model/message-repository.ts';
import { deleteSaved, insertSaved, listSavedRows } from '../model/saved-messages.ts';
import { MESSAGE_DELETED } from './change-message.ts';
import { presentListed, presentStoredMessage } from './present-stored-message.ts';

type SaveParams = { id: string; isSaved: boolean };

export async function save(deps: Deps, caller: Caller, { id, isSaved }: SaveParams): Promise<Message> {
  const message = await findMessage(deps.db, id, caller.userId);
  if (!message?.is_participant) throw notFound('Message');
  if (isSaved && message.deleted_at !== null) throw new AppError('conflict', MESSAGE_DELETED);
  await (isSaved ? insertSaved(deps.db, message, caller.userId) : deleteSaved(deps.db, id, caller.userId));
  const presented = await presentStoredMessage(deps, caller, message);
  const { conversation, thread } = presented;
  deps.broadcaster.savedChanged(caller.userId, { conversation, message: id, thread: thread?.root, saved: isSaved });
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
  }));
  return toPage(items, total, query);
}
