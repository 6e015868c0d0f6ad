import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { QueryFilter } from 'mongoose';
import type { Deps } from '../deps.ts';
import type { NotificationRecord } from '../store/records.ts';

type Withdrawal = { eventId: string; about: string; where: QueryFilter<NotificationRecord> };

const PORTION = 1_000;

/** Removes notifications that lead nowhere any more. Emails that still wait for them are withheld, see `whyOvertaken`. */
export async function withdrawNotifications(
  { store, listNews }: Pick<Deps, 'store' | 'listNews'>,
  { eventId, about, where }: Withdrawal,
): Promise<void> {
  for (;;) {
    const found = await store.notifications.find(where, { personId: 1 }).limit(PORTION).lean();
    if (found.length === 0) return;
    const ids = found.map(({ _id }) => _id);
    await store.notifications.deleteMany({ _id: { $in: ids } });
    const personIds = [...new Set(found.map(({ personId }) => personId))];
    await listNews.tell({ id: deterministicId([eventId, 'withdrawn', ...ids].join()), personIds, about });
  }
}
