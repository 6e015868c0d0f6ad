import type { Logger } from '../observability/logger.ts';
import { type ClockReading, isWithin, readClocks } from '../process/clock-reading.ts';
import { startPollingLoop } from '../process/polling-loop.ts';
import type { Messaging } from './messaging.ts';
import { createNatsLease, LEASE_MS } from './nats-lease.ts';

const RENEW_MS = 1_000;
/** How long a pod that gave the lease to others leaves it to them. */
const REST_MS = 3_000;

export type Leadership = {
  /** By our own clocks, from before we asked: nobody else holds the lease as long as this is true. */
  holds(): boolean;
  /** Gives the lease to another pod that wants it. */
  stepDown(): void;
  /** Ends what was begun, as if the lease had run out, and begins it anew. */
  restartTerm(): void;
  close(): Promise<void>;
};

type Options = {
  messaging: Messaging;
  service: string;
  /** What the lease is for, within the service. */
  name: string;
  log: Logger;
  /** Whether this pod should try at all. */
  canLead: () => Promise<boolean>;
  /** Called when the lease was taken, and not when it was renewed. */
  onTaken: () => void;
  /** Ends what `onTaken` has begun: because the lease ran out, or, orderly, before it is given back. */
  onEnd: (isOrderly: boolean) => Promise<void>;
};

/** Has one pod of a service lead at a time; when it stops another one does so at once, when it dies after five seconds. */
export function startLeadership(options: Options): Leadership {
  const { messaging, service, name, log, canLead, onTaken, onEnd } = options;
  const lease = createNatsLease(messaging, service, name);
  let leadsSince: ClockReading | undefined;
  let isLeading = false;
  let restsUntil = 0;
  /** When another pod was last heard to take the lease or to renew it. */
  let lastRenewalSeenAt = Number.NEGATIVE_INFINITY;
  let isSteppingDown = false;
  let isStale = false;
  const holds = () => isWithin(leadsSince, LEASE_MS);
  const isDue = () => performance.now() >= Math.max(restsUntil, lastRenewalSeenAt + LEASE_MS);

  const end = async (isOrderly: boolean) => {
    if (!isLeading) return;
    isLeading = false;
    await onEnd(isOrderly);
  };
  const releaseLease = async () => {
    await end(true);
    if (!holds()) return;
    leadsSince = undefined;
    await lease.release().catch(() => undefined);
  };
  const take = async () => {
    const asked = readClocks();
    const isTaken = await lease.take();
    // What found the lease run out in between has stopped, and begins anew.
    if (!holds()) await end(false);
    leadsSince = isTaken ? asked : undefined;
  };

  const loop = startPollingLoop({
    what: `the lease of ${service}-${name}`,
    intervalMs: RENEW_MS,
    log,
    async round() {
      if (isSteppingDown) {
        isSteppingDown = false;
        restsUntil = performance.now() + REST_MS;
        await releaseLease();
        return false;
      }
      if (isStale) {
        isStale = false;
        await end(false);
      }
      if (!isLeading && (!isDue() || !(await canLead()))) return false;
      try {
        await take();
      } finally {
        if (!holds()) await end(false);
      }
      if (holds() && !isLeading) {
        isLeading = true;
        onTaken();
      }
      return false;
    },
  });
  const forget = lease.onChange((isFree) => {
    lastRenewalSeenAt = isFree ? Number.NEGATIVE_INFINITY : performance.now();
    if (isFree) loop.wake();
  });

  return {
    holds,
    stepDown() {
      isSteppingDown = true;
      loop.wake();
    },
    restartTerm() {
      isStale = true;
      loop.wake();
    },
    async close() {
      forget();
      await loop.close();
      await releaseLease();
    },
  };
}
