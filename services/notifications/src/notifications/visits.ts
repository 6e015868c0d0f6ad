import { isWithheldIfSeen, type WithheldChannel } from '@atrium/proto-events/notices/decide';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { NotificationRecord } from '../store/records.ts';
import { anyOf, isKnownUnavailable, type Store } from '../store/store.ts';
import { isDuplicate } from '../store/store-unavailable.ts';

const INTERVAL_MS = 1_000;

export type VisitRecorder = { record(userId: string): void; close(): Promise<void> };

/** Records when focused windows show users their notifications. */
export function createVisitRecorder(store: Store, log: Logger): VisitRecorder {
  let pending = new Map<string, Date>();
  const save = async () => {
    const visits = pending;
    pending = new Map();
    if (visits.size > 0) await store.run(() => saveVisits(store, visits));
    return false;
  };
  const loop = startPollingLoop({
    name: 'visits',
    intervalMs: INTERVAL_MS,
    isReportedElsewhere: isKnownUnavailable,
    log,
    round: save,
  });
  return { record: (userId) => void pending.set(userId, new Date()), close: loop.close };
}

async function saveVisits({ visits }: Store, times: ReadonlyMap<string, Date>): Promise<void> {
  const writes = [...times].map(([_id, at]) => ({
    updateOne: { filter: { _id }, update: { $max: { at } }, upsert: true },
  }));
  try {
    await visits.bulkWrite(writes, { ordered: false });
  } catch (error) {
    // Another pod has just inserted the record.
    if (!isDuplicate(error)) throw error;
  }
}

/** Returns the times of the last visits by user. */
export async function findVisits({ visits }: Store, userIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const found = await visits.find({ _id: anyOf(userIds) }).lean();
  return new Map(found.map(({ _id, at }) => [_id, at]));
}

type Shown = Pick<NotificationRecord, 'personId' | 'notice' | 'recordedAt'>;

/** Whether a focused window has shown a notification to its user, so that there is no push, or no immediate email, about it. */
export async function wasSeen(
  { visits }: Store,
  { personId, notice, recordedAt }: Shown,
  channel: WithheldChannel,
): Promise<boolean> {
  if (!notice || !recordedAt || !isWithheldIfSeen(channel, notice.kind, notice.channels)) return false;
  return (await visits.exists({ _id: personId, at: { $gt: recordedAt } })) !== null;
}
