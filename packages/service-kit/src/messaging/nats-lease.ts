import { LEASES } from '@atrium/proto-events/nats-users';
import { JetStreamApiError } from '@nats-io/jetstream';
import { newId } from '../process/new-id.ts';
import { type Messaging, requireStream } from './messaging.ts';

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
