import { insertOnce, type Store } from '../store/store.ts';

type Withdrawal = {
  event: { id: string; occurredAt: string };
  /** What was deleted or edited: a message, its text, a comment, or a conversation; or what users left, also a project. */
  subjectId: string;
  userIds?: readonly string[];
};

/**
 * Records that users are no longer to be notified; without `userIds`, nobody is. Must be recorded before existing
 * notifications are withdrawn: others of the same message may be stored at the same time, because the events have
 * different aggregates.
 */
export async function recordWithdrawal(
  { withdrawals }: Store,
  { event, subjectId, userIds }: Withdrawal,
): Promise<void> {
  await insertOnce(withdrawals, [
    { _id: event.id, subjectId, ...(userIds && { userIds: [...userIds] }), at: new Date(event.occurredAt) },
  ]);
}

/** Whether a message, its text, a comment, or a conversation was deleted or edited. None of them comes back. */
export const isDeleted = async ({ withdrawals }: Store, subjectId: string): Promise<boolean> =>
  (await withdrawals.exists({ subjectId, userIds: { $exists: false } })) !== null;

type Places = { subjectIds: readonly string[]; since: Date };

/** Excludes users who have left one of the conversations or projects since then. */
export async function excludeFormer(
  { withdrawals }: Store,
  { subjectIds, since }: Places,
  userIds: readonly string[],
): Promise<readonly string[]> {
  // FerretDB uses the index only for equal values.
  const found = await Promise.all(
    subjectIds.map((subjectId) => withdrawals.find({ subjectId, at: { $gte: since } }, { userIds: 1 }).lean()),
  );
  const formerIds = new Set(found.flat().flatMap((withdrawal) => withdrawal.userIds ?? []));
  return userIds.filter((id) => !formerIds.has(id));
}

type Message = { messageId: string; conversationId: string; sentAt: string };

/** Excludes everyone if the message or its conversation was deleted, and users who left since it was sent. */
export async function filterNotWithdrawn(
  store: Store,
  { messageId, conversationId, sentAt }: Message,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const [isMessageDeleted, isConversationDeleted, remainingIds] = await Promise.all([
    isDeleted(store, messageId),
    isDeleted(store, conversationId),
    excludeFormer(store, { subjectIds: [conversationId], since: new Date(sentAt) }, userIds),
  ]);
  return isMessageDeleted || isConversationDeleted ? [] : remainingIds;
}
