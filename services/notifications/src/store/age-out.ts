import type { Store } from './store.ts';

const DAY = 24 * 60 * 60_000;
const KEPT = { claims: 14 * DAY, mails: 90 * DAY, notifications: 365 * DAY, security: 180 * DAY, answers: 400 * DAY };

/** Removes what has had its time. Activity stays: it is the record; but of sign-ins and refusals, which hold addresses, only half a year. Any pod may do it, several at once do no harm. Answers that there is no more. */
export async function ageOut(store: Store): Promise<false> {
  const before = (age: number) => ({ $lt: new Date(Date.now() - age) });
  await store.reach(async () => {
    await store.notifications.deleteMany({ createdAt: before(KEPT.notifications) });
    for (const state of ['sent', 'failed'] as const)
      await store.mails.deleteMany({ state, createdAt: before(KEPT.mails) });
    // All types that begin with `security.`: the sign after the point ends the range.
    await store.activities.deleteMany({ type: { $gte: 'security.', $lt: 'security/' }, at: before(KEPT.security) });
    // Longer than the three days for which a mail is tried, and than any pod could hold on to what it has read.
    await store.claims.deleteMany({ at: before(KEPT.claims) });
    await store.answers.deleteMany({ at: before(KEPT.answers) });
    await store.mailings.deleteMany({ createdAt: before(2 * KEPT.mails) });
  });
  return false;
}
