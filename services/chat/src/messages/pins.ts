import { MAX_PINS, type Message, TOO_MANY_PINS } from '@atrium/proto-events/http/chat/messages';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findReadState } from '../model/conversations/participant-repository.ts';
import { conversationOf, type MessageRow } from '../model/messages/message-repository.ts';
import { countPins, listPinRows, updatePin } from '../model/messages/pin-repository.ts';
import { appendChanges, findForChange, lockForChange } from './change-message.ts';
import { broadcastChanges, presentListed, presentWithoutReaders } from './present-stored-message.ts';

type PinParams = { id: string; isPinned: boolean };

export async function pin(deps: Deps, caller: Caller, { id, isPinned }: PinParams): Promise<Message> {
  const { message, changes } = await deps.db.transaction(async (tx) => {
    const found = await findForChange(tx, id, caller.userId);
    // Also locks the conversation, so that pins are counted sequentially.
    const message = await lockForChange(tx, found);
    if (isPinned === (message.pinned_at !== null)) return { message, changes: [] };
    const rows = await updatePin(tx, message, isPinned ? caller.userId : null);
    if (isPinned) await assertPinLimit(tx, message);
    return { message: rows[0] ?? message, changes: await appendChanges(tx, rows, 'pin', caller.userId) };
  });
  await broadcastChanges(deps, changes);
  return presentWithoutReaders(deps, caller, message);
}

async function assertPinLimit(tx: Queryable, message: MessageRow): Promise<void> {
  if ((await countPins(tx, conversationOf(message))) > MAX_PINS)
    throw new AppError('validation_failed', TOO_MANY_PINS, { messages: [TOO_MANY_PINS] });
}

export async function listPins(deps: Deps, caller: Caller, id: string) {
  if (!(await findReadState(deps.db, id, caller.userId))) throw notFound('Conversation');
  const rows = await listPinRows(deps.db, id, MAX_PINS);
  return { data: await presentListed(deps, caller, rows) };
}
