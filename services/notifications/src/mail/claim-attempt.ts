import type { Store } from '../store/store.ts';
import { isRepeat } from '../store/store-away.ts';

/** Longer than any attempt can take, see the time-outs of the mail server's connection. */
const LEASE_MS = 5 * 60_000;

/**
 * Makes attempt number `attempt` at a mail this process's own. Of all pods exactly one wins, since only one can insert the record;
 * reading and changing a record is not atomic in every store. Where the winner of old has died, the next attempt is opened.
 */
export async function claimAttempt(store: Store, mailId: string, attempt: number): Promise<boolean> {
  const claimId = `${mailId}:${attempt}`;
  try {
    await store.claims.create({ _id: claimId, at: new Date() });
    return true;
  } catch (error) {
    if (!isRepeat(error)) throw error;
  }
  const claim = await store.claims.findById(claimId).lean();
  if (claim && claim.at.getTime() < Date.now() - LEASE_MS) {
    await store.mails.updateOne({ _id: mailId, state: 'queued' }, { $set: { attempts: attempt } });
  }
  return false;
}
