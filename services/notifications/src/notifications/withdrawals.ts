import { insertOnce, type Store } from '../store/store.ts';

type Withdrawal = {
  event: { id: string; occurredAt: string };
  /**
   * What was deleted or edited: a message, its text, a comment, a conversation, or a document; or what the users left: a
   * conversation, a project, or their department.
   */
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

type Items = {
  subjectIds: readonly string[];
  /** When the event that users are notified of occurred. */
  since: string;
};

/** Excludes everyone if one of the items was deleted since then, and users who left one of them. */
export async function excludeWithdrawn(
  { withdrawals }: Store,
  { subjectIds, since }: Items,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const at = { $gte: new Date(since) };
  // FerretDB uses the index only for equal values.
  const found = await Promise.all(subjectIds.map((subjectId) => withdrawals.find({ subjectId, at }).lean()));
  if (found.flat().some((withdrawal) => withdrawal.userIds === undefined)) return [];
  const formerIds = new Set(found.flat().flatMap((withdrawal) => withdrawal.userIds ?? []));
  return userIds.filter((id) => !formerIds.has(id));
}

type Message = { messageId: string; conversationId: string; sentAt: string };

/** Excludes everyone if the message or its conversation was deleted, and users who left since it was sent. */
export async function filterNotWithdrawn(
  store: Store,
  { messageId, conversationId, sentAt: since }: Message,
  userIds: readonly string[],
): Promise<readonly string[]> {
  if (await isDeleted(store, messageId)) return [];
  return excludeWithdrawn(store, { subjectIds: [conversationId], since }, userIds);
}
