import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { markNotificationsRead as contract } from '@atrium/proto-events/http/notifications';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';

type Body = RequestOf<typeof contract>['body'];

/** Marks notifications up to the time of the newest one the caller has seen; later ones stay unread. Idempotent. */
export async function markNotificationsRead(
  { store, notificationPublisher }: Deps,
  { userId }: Caller,
  { until, ids }: Body,
) {
  const { modifiedCount } = await store.notifications.updateMany(
    { personId: userId, read: false, createdAt: { $lte: new Date(until) }, ...(ids && { _id: { $in: ids } }) },
    { $set: { read: true, readAt: new Date() } },
  );
  if (modifiedCount > 0) notificationPublisher.publishInBackground({ personIds: [userId], about: userId });
  return { updatedCount: modifiedCount };
}
