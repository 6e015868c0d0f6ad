import { type ClockReading, isWithin, readClocks } from '@atrium/service-kit/process/clock-reading';
import type { Store } from '../store/store.ts';
import { isDuplicate } from '../store/store-unavailable.ts';

const RENEW_INTERVAL_MS = 1_000;
const EXPIRY_MS = 5_000;

export type Claim = {
  attempt: number;
  /** False once another process could have taken over the claim; the email must not be sent then. */
  isHeld(): boolean;
  release(): void;
};

export type Claims = {
  /**
   * Claims this attempt, or the next one if the claim of a crashed process has expired. Returns undefined if another
   * process holds it.
   */
  acquire(emailId: string, attempt: number): Promise<Claim | undefined>;
};

/**
 * Exclusive claims on delivery attempts across pods. Inserting the claim record is the only write that is atomic in
 * every store (FerretDB included). A claim whose timestamp stops changing has expired, and the next attempt is opened.
 */
export function createClaims(store: Store, { expiryMs = EXPIRY_MS, renewIntervalMs = RENEW_INTERVAL_MS } = {}): Claims {
  /**
   * Claims of other pods and how long they have been unchanged, measured with the local clock, because pod clocks may
   * differ.
   */
  const observations = new Map<string, { at: number; checkedAt: number; unchangedMs: number }>();

  /** Records the timestamp of a claim, and returns whether it has been unchanged for long enough to be expired. */
  const recordObservation = (claimId: string, at: number): boolean => {
    const observation = observations.get(claimId);
    const checkedAt = performance.now();
    // A long gap between checks means that the store was unavailable, to the holder of the claim as well.
    const elapsedMs = observation?.at === at ? Math.min(checkedAt - observation.checkedAt, expiryMs / 2) : 0;
    const unchangedMs = observation?.at === at ? observation.unchangedMs + elapsedMs : 0;
    if (observations.size > 1_000) observations.clear();
    observations.set(claimId, { at, checkedAt, unchangedMs });
    return unchangedMs > expiryMs;
  };

  const startRenewing = (claimId: string, claimedAt: ClockReading) => {
    let renewedAt = claimedAt;
    const renew = async () => {
      const requestedAt = readClocks();
      await store.claims.updateOne({ _id: claimId }, { $set: { at: new Date() } });
      renewedAt = requestedAt;
    };
    // While the store is unavailable, no other pod can take over either.
    const timer = setInterval(() => void renew().catch(() => undefined), renewIntervalMs);
    return { isHeld: () => isWithin(renewedAt, expiryMs), release: () => clearInterval(timer) };
  };

  const acquire = async (emailId: string, attempt: number): Promise<Claim | undefined> => {
    const claimId = `${emailId}:${attempt}`;
    try {
      const requestedAt = readClocks();
      await store.claims.create({ _id: claimId, at: new Date() });
      return { attempt, ...startRenewing(claimId, requestedAt) };
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    const claim = await store.claims.findById(claimId).lean();
    if (!claim) return undefined;
    if (!recordObservation(claimId, claim.at.getTime())) return undefined;
    observations.delete(claimId);
    const staleAttempt = { _id: emailId, state: 'queued', attempts: attempt - 1 } as const;
    const { modifiedCount } = await store.emails.updateOne(staleAttempt, { $set: { attempts: attempt } });
    return modifiedCount === 1 ? acquire(emailId, attempt + 1) : undefined;
  };
  return { acquire };
}
