import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Model, QueryFilter } from 'mongoose';
import { typesWithPrefix } from './records.ts';
import { isKnownUnavailable, type Store } from './store.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The longest that any email stays queued, except while a pause postpones it. */
export const MAX_QUEUED_MS = 30 * DAY_MS;
/** Retention periods of docs/self-hosting/operations.md ("Retention"). */
const RETENTION_MS = {
  // Claims and contents outlast the attempts of every queued email; the extra day covers those that end late.
  claims: MAX_QUEUED_MS + DAY_MS,
  emails: 90 * DAY_MS,
  mailings: MAX_QUEUED_MS + DAY_MS,
  notifications: 365 * DAY_MS,
  security: 180 * DAY_MS,
  activities: 730 * DAY_MS,
  calendarParts: 60 * DAY_MS,
  pushes: 31 * DAY_MS,
  // Events of the same message may be handled long after an outage, or as dead letters.
  withdrawals: 31 * DAY_MS,
};
/** Small enough that each batch completes well before the connection times out. */
const BATCH_SIZE = 1_000;

type ExpiryParams = { sessionIdleDays: number; log: Logger; signal: AbortSignal };
type Removal = () => Promise<boolean>;

/**
 * Deletes records past their retention: security records, which contain IP addresses, after half a year, other activity
 * after two years. Safe to run on several pods at once. A failure is logged and does not stop the other removals.
 * Returns false: there is no more work until the next interval.
 */
export async function expireRecords(store: Store, { sessionIdleDays, log, signal }: ExpiryParams): Promise<false> {
  for (const [recordType, remove] of Object.entries(createRemovals(store, sessionIdleDays))) {
    try {
      while (!signal.aborted && (await store.run(remove))) log.debug({ recordType }, 'Deleted expired records');
    } catch (error) {
      if (isKnownUnavailable(error)) throw error;
      log.warn({ err: error, recordType }, 'Failed to delete expired records');
    }
  }
  return false;
}

function createRemovals(store: Store, sessionIdleDays: number): Record<string, Removal> {
  const olderThan = (ageMs: number) => ({ $lt: new Date(Date.now() - ageMs) });
  const emails = (state: 'sent' | 'failed' | 'uncertain') =>
    createRemoval(store.emails, { state, createdAt: olderThan(RETENTION_MS.emails) });
  return {
    notifications: createRemoval(store.notifications, { createdAt: olderThan(RETENTION_MS.notifications) }),
    'sent emails': emails('sent'),
    'failed emails': emails('failed'),
    'uncertain emails': emails('uncertain'),
    'security records': createRemoval(store.activities, {
      type: typesWithPrefix('security'),
      at: olderThan(RETENTION_MS.security),
    }),
    claims: createRemoval(store.claims, { at: olderThan(RETENTION_MS.claims) }),
    'calendar parts': createRemoval(store.calendarParts, { at: olderThan(RETENTION_MS.calendarParts) }),
    pushes: createRemoval(store.pushes, { createdAt: olderThan(RETENTION_MS.pushes) }),
    'push subscriptions': createRemoval(store.pushSubscriptions, { renewedAt: olderThan(sessionIdleDays * DAY_MS) }),
    'ended push subscriptions': createRemoval(store.pushSubscriptions, { endedAt: olderThan(DAY_MS) }),
    withdrawals: createRemoval(store.withdrawals, { at: olderThan(RETENTION_MS.withdrawals) }),
    'email contents': () => removeContents(store, olderThan(RETENTION_MS.mailings)),
    activities: createRemoval(store.activities, { at: olderThan(RETENTION_MS.activities) }),
  };
}

/** Users can extend a pause, so that emails stay queued for longer; their contents stay with them. */
async function removeContents(store: Store, createdAt: { $lt: Date }): Promise<boolean> {
  const neededIds = await store.emails.distinct('mailingId', { state: 'queued', createdAt });
  const expired = { createdAt, ...(neededIds.length > 0 && { _id: { $nin: neededIds } }) };
  return createRemoval(store.mailings, expired)();
}

function createRemoval<T extends { _id: string }>(model: Model<T>, expired: QueryFilter<T>): Removal {
  return async () => {
    const batch = await model.find(expired, { _id: 1 }).limit(BATCH_SIZE).lean<{ _id: string }[]>();
    const ids = batch.map(({ _id }) => _id);
    // FerretDB uses an index for the condition. For ids alone, it would scan the collection.
    if (ids.length > 0) await model.deleteMany({ ...expired, _id: { $in: ids } });
    return ids.length === BATCH_SIZE;
  };
}
