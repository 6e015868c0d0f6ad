import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';

/** Marks what the caller has seen, up to the moment of what they saw: later news stays unread. Repeating it changes nothing. */
export async function markNotificationsRead({ store }: Deps, { userId }: Caller, until: string) {
  const { modifiedCount } = await store.notifications.updateMany(
    { personId: userId, read: false, createdAt: { $lte: new Date(until) } },
    { $set: { read: true, readAt: new Date() } },
  );
  return { updatedCount: modifiedCount };
}
