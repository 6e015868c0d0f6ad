import { insertOnce, type Store } from '../store/store.ts';

type Withdrawal = {
  event: { id: string; occurredAt: string };
  /** What was deleted or edited: a message, its text, a comment, or a conversation; or the conversation that users left. */
  subjectId: string;
  userIds?: readonly string[];
};

/**
 * Records that users are no longer to be notified. Must be recorded before existing notifications are withdrawn: others
 * of the same message may be stored at the same time, because the events have different aggregates.
 */
export async function recordWithdrawal({ withdrawals }: Store, { event, ...withdrawal }: Withdrawal): Promise<void> {
  const { subjectId, userIds } = withdrawal;
  await insertOnce(withdrawals, [
    { _id: event.id, subjectId, ...(userIds && { userIds: [...userIds] }), at: new Date(event.occurredAt) },
  ]);
}

/** Whether a message or comment was deleted. */
export const isDeleted = async ({ withdrawals }: Store, subjectId: string): Promise<boolean> =>
  (await withdrawals.exists({ subjectId })) !== null;

type Message = { messageId: string; conversationId: string; sentAt: string };

/** Excludes everyone if the message or its conversation was deleted, and users who left since it was sent. */
export async function filterNotWithdrawn(
  store: Store,
  { messageId, conversationId, sentAt }: Message,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const [isMessageDeleted, ofConversation] = await Promise.all([
    isDeleted(store, messageId),
    store.withdrawals.find({ subjectId: conversationId, at: { $gte: new Date(sentAt) } }).lean(),
  ]);
  if (isMessageDeleted || ofConversation.some((withdrawal) => withdrawal.userIds === undefined)) return [];
  const leftIds = new Set(ofConversation.flatMap((withdrawal) => withdrawal.userIds ?? []));
  return userIds.filter((id) => !leftIds.has(id));
}
