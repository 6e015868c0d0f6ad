import { type ClockReading, isWithin, readClocks } from '@atrium/service-kit/process/clock-reading';
import type { Store } from '../store/store.ts';
import { isRepeat } from '../store/store-unavailable.ts';

/** How often whoever is at an attempt says so, and how long a claim may stand still before its pod counts as dead. */
const SAY_EVERY_MS = 1_000;
const DEAD_AFTER_MS = 5_000;

export type Claim = {
  attempt: number;
  /** Whether nobody can have taken this process for dead: one that stood still may have a successor, who sends the mail. */
  holds(): boolean;
  end(): void;
};

export type Claims = {
  /**
   * Makes attempt number `attempt` at a mail this process's own, until `end`, or the next one where whoever was at it has died;
   * undefined where it is another's.
   */
  take(mailId: string, attempt: number): Promise<Claim | undefined>;
};

/**
 * Who is at a mail. Of all pods exactly one wins, since only one can insert the record; reading and changing a record is not atomic in
 * every store. Where the winner has died, which its claim shows by standing still, the next attempt is opened.
 */
export function createClaims(store: Store, { deadAfterMs = DEAD_AFTER_MS, sayEveryMs = SAY_EVERY_MS } = {}): Claims {
  /** Claims of others, and for how long we have seen them stand as they do, by our own clock: theirs may be another. */
  const seen = new Map<string, { at: number; lookedAt: number; stoodMs: number }>();

  const standsStill = (claimId: string, at: number): boolean => {
    const known = seen.get(claimId);
    const lookedAt = performance.now();
    // Between two looks far apart the store was away, for whoever is at it as well.
    const passed = known?.at === at ? Math.min(lookedAt - known.lookedAt, deadAfterMs / 2) : 0;
    const stoodMs = known?.at === at ? known.stoodMs + passed : 0;
    if (seen.size > 1_000) seen.clear();
    seen.set(claimId, { at, lookedAt, stoodMs });
    return stoodMs > deadAfterMs;
  };

  const keep = (claimId: string, since: ClockReading) => {
    let said = since;
    const say = async () => {
      const asked = readClocks();
      await store.claims.updateOne({ _id: claimId }, { $set: { at: new Date() } });
      said = asked;
    };
    // While the store is away nobody else can look either.
    const timer = setInterval(() => void say().catch(() => undefined), sayEveryMs);
    return { holds: () => isWithin(said, deadAfterMs), end: () => clearInterval(timer) };
  };

  const take = async (mailId: string, attempt: number): Promise<Claim | undefined> => {
    const claimId = `${mailId}:${attempt}`;
    try {
      const asked = readClocks();
      await store.claims.create({ _id: claimId, at: new Date() });
      return { attempt, ...keep(claimId, asked) };
    } catch (error) {
      if (!isRepeat(error)) throw error;
    }
    const claim = await store.claims.findById(claimId).lean();
    if (!claim) return undefined;
    if (!standsStill(claimId, claim.at.getTime())) return undefined;
    seen.delete(claimId);
    const open = { _id: mailId, state: 'queued', attempts: attempt - 1 } as const;
    const { modifiedCount } = await store.mails.updateOne(open, { $set: { attempts: attempt } });
    return modifiedCount === 1 ? take(mailId, attempt + 1) : undefined;
  };
  return { take };
}
