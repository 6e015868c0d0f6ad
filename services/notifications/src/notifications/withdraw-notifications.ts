import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { QueryFilter } from 'mongoose';
import type { Deps } from '../deps.ts';
import type { NotificationRecord } from '../store/records.ts';

type Withdrawal = { eventId: string; about: string; where: QueryFilter<NotificationRecord> };

const BATCH_SIZE = 1_000;

/** Removes notifications whose target no longer exists. Their queued emails are suppressed (`supersededReason`). */
export async function withdrawNotifications(
  { store, notificationPublisher }: Pick<Deps, 'store' | 'notificationPublisher'>,
  { eventId, about, where }: Withdrawal,
): Promise<void> {
  for (;;) {
    const found = await store.notifications.find(where, { personId: 1 }).limit(BATCH_SIZE).lean();
    if (found.length === 0) return;
    const ids = found.map(({ _id }) => _id);
    await store.notifications.deleteMany({ _id: { $in: ids } });
    const personIds = [...new Set(found.map(({ personId }) => personId))];
    await notificationPublisher.publish({
      id: deterministicId([eventId, 'withdrawn', ...ids].join()),
      personIds,
      about,
    });
  }
}
