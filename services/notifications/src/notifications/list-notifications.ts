import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { listNotifications as listContract } from '@atrium/proto-events/http/notifications';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { presentNotification } from './present-notification.ts';

type Query = RequestOf<typeof listContract>['query'];

export async function listNotifications({ store, directory }: Deps, { userId }: Caller, query: Query) {
  const mine = { personId: userId };
  const { limit, offset } = toLimits(query);
  const [records, total, unreadCount] = await Promise.all([
    store.notifications.find(mine).sort({ createdAt: -1, _id: -1 }).skip(offset).limit(limit).lean(),
    store.notifications.countDocuments(mine),
    store.notifications.countDocuments({ ...mine, read: false }),
  ]);
  const data = records.map((record) => presentNotification(directory, record));
  return { ...toPage(data, total, query), unreadCount };
}
