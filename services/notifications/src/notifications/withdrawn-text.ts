import type { Store } from '../store/store.ts';
import { isDeleted, recordWithdrawal } from './withdrawals.ts';

/** The text of a message is withdrawn separately from the message. */
const toTextId = (messageId: string) => `text:${messageId}`;

type Change = { event: { id: string; occurredAt: string }; messageId: string };

/**
 * Removes the text of a message that was edited or deleted from the notifications that quote it. Those that are stored
 * at the same time have to use `removeWithdrawnText`.
 */
export async function withdrawText(store: Store, { event, messageId }: Change): Promise<void> {
  // A deletion is recorded with the id of its event. Backups find the event of a record by the beginning of its id.
  const id = `${event.id}:text`;
  await recordWithdrawal(store, { event: { ...event, id }, subjectId: toTextId(messageId) });
  await removeText(store, messageId);
}

/** Pushes and emails read it when they are sent. */
const removeText = async ({ notifications }: Store, messageId: string): Promise<void> =>
  void (await notifications.updateMany({ messageId, text: { $exists: true } }, { $unset: { text: 1 } }));

/** Whether the message has been edited or deleted. The text of an edit is never published. */
export const isTextWithdrawn = (store: Store, messageId: string): Promise<boolean> =>
  isDeleted(store, toTextId(messageId));

/** Removes a text that was stored while it was withdrawn, or by an earlier attempt. */
export async function removeWithdrawnText(store: Store, messageId: string): Promise<void> {
  if (await isTextWithdrawn(store, messageId)) await removeText(store, messageId);
}
