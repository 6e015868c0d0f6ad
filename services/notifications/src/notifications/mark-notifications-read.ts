import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { markNotificationsRead as contract } from '@atrium/proto-events/http/notifications';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';

type Body = RequestOf<typeof contract>['body'];

/** Marks what the caller has seen, up to the moment of what they saw: later news stays unread. Repeating it changes nothing. */
export async function markNotificationsRead({ store, listNews }: Deps, { userId }: Caller, { until, ids }: Body) {
  const { modifiedCount } = await store.notifications.updateMany(
    { personId: userId, read: false, createdAt: { $lte: new Date(until) }, ...(ids && { _id: { $in: ids } }) },
    { $set: { read: true, readAt: new Date() } },
  );
  if (modifiedCount > 0) listNews.hint({ personIds: [userId], about: userId });
  return { updatedCount: modifiedCount };
}
