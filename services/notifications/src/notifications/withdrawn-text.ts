import type { Store } from '../store/store.ts';
import { recordWithdrawal } from './withdrawals.ts';

/** The text of a message is withdrawn separately from the message. */
const toTextId = (id: string) => `text:${id}`;

type Change = { event: { id: string; occurredAt: string }; messageId: string };

/**
 * Removes the text of a message that was edited or deleted from the notifications that quote it. Those that are stored
 * at the same time have to use `isTextWithdrawn`.
 */
export async function withdrawText(store: Store, { event, messageId }: Change): Promise<void> {
  // A deletion is recorded with the id of its event.
  const { occurredAt } = event;
  await recordWithdrawal(store, { event: { id: toTextId(event.id), occurredAt }, subjectId: toTextId(messageId) });
  await removeText(store, messageId);
}

/** Pushes and emails read it when they are sent. */
export const removeText = async ({ notifications }: Store, messageId: string): Promise<void> =>
  void (await notifications.updateMany({ messageId, text: { $exists: true } }, { $unset: { text: 1 } }));

type Quote = { messageId: string; sentAt: string };

/** Whether the message has been edited or deleted since a text was published. */
export const isTextWithdrawn = async ({ withdrawals }: Store, { messageId, sentAt }: Quote): Promise<boolean> =>
  (await withdrawals.exists({ subjectId: toTextId(messageId), at: { $gt: new Date(sentAt) } })) !== null;
