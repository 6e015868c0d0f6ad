import { LEASES } from '@atrium/proto-events/nats-users';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { Logger } from '../observability/logger.ts';
import { type ClockReading, isWithin, readClocks } from '../process/clock-reading.ts';
import { newId } from '../process/new-id.ts';
import { startPollingLoop } from '../process/polling-loop.ts';
import { type Messaging, requireStream } from './messaging.ts';

const RENEW_MS = 1_000;
/** How long a pod that stepped down leaves the lease to others. */
const REST_MS = 3_000;

export type Leadership = {
  /** By our own clocks, counted from before the request: no other pod holds the lease while this is true. */
  holds(): boolean;
  /** Gives the lease to another pod that wants it. */
  stepDown(): void;
  /** Ends the term as if the lease had expired, and starts a new one. */
  restartTerm(): void;
  close(): Promise<void>;
};

type Options = {
  messaging: Messaging;
  service: string;
  name: string;
  log: Logger;
  /** Whether this pod should try to lead. */
  canLead: () => Promise<boolean>;
  /** Called when the lease was acquired, not when it was renewed. */
  onTaken: () => void;
  /** Ends what `onTaken` started: after the lease expired, or, orderly, before it is released. */
  onEnd: (isOrderly: boolean) => Promise<void>;
};

/**
 * Elects one leader among the pods of a service; when it stops, another follows immediately, when it dies, after five
 * seconds.
 */
export function startLeadership(options: Options): Leadership {
  const { messaging, service, name, log, canLead, onTaken, onEnd } = options;
  const lease = createNatsLease(messaging, service, name);
  let leadsSince: ClockReading | undefined;
  let isLeading = false;
  let restsUntil = 0;
  /** When another pod was last seen to acquire or renew the lease. */
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
    const requestedAt = readClocks();
    const isTaken = await lease.take();
    // A term that found its lease expired has stopped, and must restart.
    if (!holds()) await end(false);
    leadsSince = isTaken ? requestedAt : undefined;
  };

  const loop = startPollingLoop({
    what: `lease ${service}-${name}`,
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

/** A crashed holder is succeeded after this time. */
export const LEASE_MS = 5_000;
const REQUEST_TIMEOUT_MS = 2_000;
const WRONG_LAST_SEQUENCE = 10_071;
/** Value of a released lease. */
const FREE = '';

export type NatsLease = {
  /** Acquires or renews the lease for five seconds from now; returns whether it is held. */
  take(): Promise<boolean>;
  /** Lets another pod acquire it immediately. */
  release(): Promise<void>;
  /**
   * Calls the listener with whether the lease is free, whenever another pod acquires, renews, or releases it; returns
   * a function that unsubscribes.
   */
  onChange(listener: (isFree: boolean) => void): () => void;
};

/**
 * A lease in NATS, so that services without PostgreSQL have one, too: the last message of a subject, which expires
 * after five seconds. A write names the sequence of the previous message, and JetStream rejects a wrong one.
 */
export function createNatsLease(messaging: Messaging, service: string, name: string): NatsLease {
  const subject = messaging.subject(`${LEASES}.${service}.${name}`);
  const stream = messaging.stream(LEASES);
  const holder = newId();
  let sequence = 0;

  const write = async (text: string, expected: number): Promise<boolean> => {
    try {
      const expect = { lastSubjectSequence: expected };
      ({ seq: sequence } = await messaging.js.publish(subject, text, { timeout: REQUEST_TIMEOUT_MS, expect }));
      return true;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return false;
      throw error;
    }
  };
  return {
    async take() {
      try {
        await requireStream(messaging, LEASES);
        if (await write(holder, sequence)) return true;
        // The lease expired, another pod holds it, or the response to our last write was lost.
        const last = await messaging.manager.streams.getMessage(stream, { last_by_subj: subject });
        const whose = last?.string() ?? FREE;
        if (whose !== FREE && whose !== holder) return false;
        return await write(holder, last?.seq ?? 0);
      } catch (error) {
        // NATS may have lost its data.
        messaging.knownStreams.delete(stream);
        throw error;
      }
    },
    release: async () => void (await write(FREE, sequence)),
    onChange(listener) {
      const changes = messaging.connection.subscribe(subject, {
        callback: (_error, message) => {
          const whose = message.string();
          if (whose !== holder) listener(whose === FREE);
        },
      });
      return () => changes.unsubscribe();
    },
  };
}
