import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Model, QueryFilter } from 'mongoose';
import { typesOf } from './records.ts';
import { isKnownUnavailable, type Store } from './store.ts';

const DAY = 24 * 60 * 60_000;
/** The longest that any email stays queued. */
export const MAX_QUEUED_MS = 30 * DAY;
/** Retention periods of docs/self-hosting/operations.md ("Retention"). */
const RETENTION_MS = {
  // Claims and contents outlast every queued email; the extra day covers attempts that end late.
  claims: MAX_QUEUED_MS + DAY,
  emails: 90 * DAY,
  mailings: MAX_QUEUED_MS + DAY,
  notifications: 365 * DAY,
  security: 180 * DAY,
  activities: 730 * DAY,
  calendarParts: 60 * DAY,
};
/** Small enough that each batch completes well before the connection times out. */
const BATCH_SIZE = 1_000;

type Removal = () => Promise<boolean>;

/**
 * Deletes records past their retention: security records, which contain IP addresses, after half a year, other activity after two years.
 * Safe to run on several pods at once. A failure is logged and does not stop the other removals.
 */
export async function expireRecords(store: Store, log: Logger, signal: AbortSignal): Promise<false> {
  for (const [what, remove] of Object.entries(removals(store))) {
    try {
      while (!signal.aborted && (await store.reach(remove))) log.debug({ what }, 'Deleted expired records');
    } catch (error) {
      if (isKnownUnavailable(error)) throw error;
      log.warn({ err: error, what }, 'Failed to delete expired records');
    }
  }
  return false;
}

function removals(store: Store): Record<string, Removal> {
  const before = (age: number) => ({ $lt: new Date(Date.now() - age) });
  const emails = (state: 'sent' | 'failed' | 'uncertain') =>
    removal(store.emails, { state, createdAt: before(RETENTION_MS.emails) });
  return {
    notifications: removal(store.notifications, { createdAt: before(RETENTION_MS.notifications) }),
    'sent emails': emails('sent'),
    'failed emails': emails('failed'),
    'uncertain emails': emails('uncertain'),
    'security records': removal(store.activities, { type: typesOf('security'), at: before(RETENTION_MS.security) }),
    claims: removal(store.claims, { at: before(RETENTION_MS.claims) }),
    'calendar parts': removal(store.calendarParts, { at: before(RETENTION_MS.calendarParts) }),
    'email contents': removal(store.mailings, { createdAt: before(RETENTION_MS.mailings) }),
    activities: removal(store.activities, { at: before(RETENTION_MS.activities) }),
  };
}

function removal<T extends { _id: string }>(model: Model<T>, old: QueryFilter<T>): Removal {
  return async () => {
    const found = await model.find(old, { _id: 1 }).limit(BATCH_SIZE).lean<{ _id: string }[]>();
    const ids = found.map(({ _id }) => _id);
    // With the condition FerretDB uses an index; with ids alone it would scan the collection.
    if (ids.length > 0) await model.deleteMany({ ...old, _id: { $in: ids } });
    return ids.length === BATCH_SIZE;
  };
}
