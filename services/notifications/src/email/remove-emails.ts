import type { Store } from '../store/store.ts';

/** Their contents belong to one recipient, except those about a new administrator. */
const PERSONAL_KINDS = ['invitation', 'reset', 'security', 'digest', 'notice', 'reply'];

/**
 * Deletes the emails to a deleted user. Clearing their fields would not do: in a store without atomic updates, such as
 * FerretDB, a concurrent update writes the whole record as it was read before.
 */
export async function removeEmailsTo({ emails, mailings }: Store, recipientId: string): Promise<void> {
  const personalEmails = await emails.find({ recipientId, kind: { $in: PERSONAL_KINDS } }, { mailingId: 1 }).lean();
  const mailingIds = personalEmails.map(({ mailingId }) => mailingId);
  await mailings.deleteMany({ _id: { $in: mailingIds }, 'content.template': { $ne: 'admin-granted' } });
  await emails.deleteMany({ recipientId });
}
