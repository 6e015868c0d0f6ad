import type { Store } from './store.ts';

const DAY = 24 * 60 * 60_000;
const KEPT = { claims: 14 * DAY, mails: 90 * DAY, notifications: 365 * DAY };

/** Removes what has had its time. Activity stays: it is the record. Any pod may do it, several at once do no harm. Answers that there is no more. */
export async function ageOut(store: Store): Promise<false> {
  const before = (age: number) => ({ $lt: new Date(Date.now() - age) });
  await store.reach(async () => {
    await store.notifications.deleteMany({ createdAt: before(KEPT.notifications) });
    for (const state of ['sent', 'failed'] as const)
      await store.mails.deleteMany({ state, createdAt: before(KEPT.mails) });
    // Longer than the three days for which a mail is tried, and than any pod could hold on to what it has read.
    await store.claims.deleteMany({ at: before(KEPT.claims) });
    await store.mailings.deleteMany({ createdAt: before(2 * KEPT.mails) });
  });
  return false;
}
