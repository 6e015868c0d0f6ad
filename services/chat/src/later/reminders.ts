import { reminderDue } from '@atrium/proto-events/events/chat';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvents } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { claimDueReminders, type DueReminder, deleteReminder } from '../model/messages/saved-messages.ts';
import { broadcastSaved, findToSave, saveMessage } from './saved.ts';

/** A reminder also saves the message. */
export async function setReminder(
  deps: Deps,
  caller: Caller,
  { id, at }: { id: string; at: string },
): Promise<Message> {
  const message = await deps.db.transaction((tx) => saveMessage(tx, caller, { id, remindAt: at }));
  return broadcastSaved(deps, caller, message);
}

export async function removeReminder(deps: Deps, caller: Caller, id: string): Promise<Message> {
  const message = await findToSave(deps.db, id, caller.userId, { includesDeleted: true });
  await deleteReminder(deps.db, id, caller.userId);
  return broadcastSaved(deps, caller, message);
}

/**
 * Publishes the reminders that are due, each once, except those of users who can no longer see the message. Returns
 * whether there may be more.
 */
export async function publishDueReminders(deps: Deps, limit: number): Promise<boolean> {
  const { db, directory, broadcaster } = deps;
  const { claimed, visible } = await db.transaction(async (tx) => {
    const claimed = await claimDueReminders(tx, limit);
    const visible = claimed.filter(({ user_id, is_visible }) => is_visible && isActive(directory.user(user_id)));
    if (visible.length > 0) await appendEvents(tx, visible.map(toEvent));
    return { claimed, visible };
  });
  for (const { user_id, conversation_id, message_id, root_id } of visible)
    broadcaster.savedChanged(user_id, {
      conversation: conversation_id,
      message: message_id,
      thread: root_id ?? undefined,
      saved: true,
    });
  return claimed.length === limit;
}

const toEvent = ({ user_id, conversation_id, message_id, seq, root_id }: DueReminder) => ({
  event: reminderDue,
  data: {
    userId: user_id,
    conversationId: conversation_id,
    messageId: message_id,
    seq: seq ?? 0,
    ...(root_id !== null && { rootId: root_id }),
  },
  aggregate: `reminder:${user_id}:${message_id}`,
  actorId: null,
});
