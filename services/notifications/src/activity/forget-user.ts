import type { EventOf } from '@atrium/proto-events/event';
import type { userDeleted } from '@atrium/proto-events/events/users';
import type { Deps } from '../deps.ts';

/** Mails that go to one user alone, so that nobody else needs their text. */
const OWN_KINDS = ['invitation', 'reset', 'security'];

/**
 * Clears what names a deleted user: titles, email addresses, and network addresses of the records about them, name and address of mails to
 * them, and the text of mails that were theirs alone. The records stay: what happened, when, and to which id.
 */
export async function forgetUser({ store }: Deps, { data }: EventOf<typeof userDeleted>): Promise<void> {
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
  const own = await store.mails.find({ recipientId: userId, kind: { $in: OWN_KINDS } }, { mailingId: 1 }).lean();
  await store.mails.updateMany({ recipientId: userId, state: 'queued' }, { $set: { state: 'failed', ...ended() } });
  await store.mails.updateMany({ recipientId: userId }, { $set: { name: '', firstName: '', address: '' } });
  await store.mailings.deleteMany({ _id: { $in: own.map(({ mailingId }) => mailingId) } });
}

/** All types that begin with `security.`: the character after the period ends the range. */
const SECURITY = { $gte: 'security.', $lt: 'security/' };

const ended = () => ({ settledAt: new Date(), lastError: 'its recipient was deleted' });
