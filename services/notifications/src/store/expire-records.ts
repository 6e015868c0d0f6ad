import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Model, QueryFilter } from 'mongoose';
import { isKnownAway, type Store } from './store.ts';

const DAY = 24 * 60 * 60_000;
/** As docs/self-hosting/operations.md has them ("Retention"). */
const KEPT = {
  claims: 14 * DAY,
  mails: 90 * DAY,
  // A mail is tried for three days; nobody needs its text after that.
  mailings: 7 * DAY,
  notifications: 365 * DAY,
  security: 180 * DAY,
  activities: 730 * DAY,
  calendarParts: 60 * DAY,
};
/** So many at once that the answer comes long before a connection is given up, whatever has piled up. */
const PORTION = 1_000;

/** Removes some portion of something; answers whether there may be more. */
type Removal = () => Promise<boolean>;

/**
 * Removes what is past its retention: records of sign-ins and denials, which hold addresses, after half a year, all other activity after two
 * years. Any pod may do it, several at once do no harm. What fails is logged by its name and does not keep the rest from its turn.
 */
export async function ageOut(store: Store, log: Logger, signal: AbortSignal): Promise<false> {
  for (const [what, remove] of Object.entries(removals(store))) {
    try {
      while (!signal.aborted && (await store.reach(remove))) log.debug({ what }, 'what had its time was removed');
    } catch (error) {
      if (isKnownAway(error)) throw error;
      log.warn({ err: error, what }, 'what had its time could not be removed; it is tried again in an hour');
    }
  }
  return false;
}

function removals(store: Store): Record<string, Removal> {
  const before = (age: number) => ({ $lt: new Date(Date.now() - age) });
  const mails = (state: 'sent' | 'failed' | 'uncertain') =>
    removal(store.mails, { state, createdAt: before(KEPT.mails) });
  return {
    notifications: removal(store.notifications, { createdAt: before(KEPT.notifications) }),
    'mails that were sent': mails('sent'),
    'mails that failed': mails('failed'),
    'emails of uncertain outcome': mails('uncertain'),
    // All types that begin with `security.`: the sign after the point ends the range.
    'security records': removal(store.activities, {
      type: { $gte: 'security.', $lt: 'security/' },
      at: before(KEPT.security),
    }),
    // Longer than the three days for which a mail is tried, and than any pod could hold on to what it has read.
    claims: removal(store.claims, { at: before(KEPT.claims) }),
    'calendar parts': removal(store.calendarParts, { at: before(KEPT.calendarParts) }),
    'words of mails': removal(store.mailings, { createdAt: before(KEPT.mailings) }),
    activities: removal(store.activities, { at: before(KEPT.activities) }),
  };
}

function removal<T extends { _id: string }>(model: Model<T>, old: QueryFilter<T>): Removal {
  return async () => {
    const found = await model.find(old, { _id: 1 }).limit(PORTION).lean<{ _id: string }[]>();
    const ids = found.map(({ _id }) => _id);
    // FerretDB looks through all there is, and compares those alone with every id that have had their time.
    if (ids.length > 0) await model.deleteMany({ ...old, _id: { $in: ids } });
    return ids.length === PORTION;
  };
}
