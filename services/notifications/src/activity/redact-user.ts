import type { EventOf } from '@atrium/proto-events/event';
import type { userDeleted } from '@atrium/proto-events/events/users';
import type { Deps } from '../deps.ts';

/** Kinds of emails whose content no other user needs. */
const OWN_KINDS = ['invitation', 'reset', 'security'];

/**
 * Removes personal data of a deleted user: titles, email addresses, IP addresses, and the content of emails sent to them alone. Activity
 * records stay, with ids only.
 */
export async function redactUser({ store }: Deps, { data }: EventOf<typeof userDeleted>): Promise<void> {
  const { userId } = data;
  const isAbout = {
    $or: [
      { subjectId: userId, resource: 'user' },
      { actorId: userId, type: SECURITY },
    ],
  };
  await store.activities.updateMany(isAbout, {
    $set: { title: '' },
    $unset: { 'details.email': 1, 'details.address': 1, 'details.device': 1 },
  });
  const own = await store.emails.find({ recipientId: userId, kind: { $in: OWN_KINDS } }, { mailingId: 1 }).lean();
  await store.emails.updateMany(
    { recipientId: userId, state: 'queued' },
    { $set: { state: 'failed', ...failedFields() } },
  );
  await store.emails.updateMany({ recipientId: userId }, { $set: { name: '', firstName: '', address: '' } });
  await store.mailings.deleteMany({ _id: { $in: own.map(({ mailingId }) => mailingId) } });
}

/** All types that start with `security.`: `/` follows `.` in ASCII. */
const SECURITY = { $gte: 'security.', $lt: 'security/' };

const failedFields = () => ({ settledAt: new Date(), lastError: 'recipient was deleted' });
