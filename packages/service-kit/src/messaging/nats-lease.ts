import { LEASES } from '@atrium/proto-events/nats-users';
import { JetStreamApiError } from '@nats-io/jetstream';
import { newId } from '../process/new-id.ts';
import { type Messaging, requireStream } from './messaging.ts';

/** A holder that dies without a word is followed by another one after this time. */
export const LEASE_MS = 5_000;
const ASK_MS = 2_000;
const WRONG_LAST_SEQUENCE = 10_071;
/** What stands in the place of a holder that has given its lease back. */
const NOBODY = '';

export type NatsLease = {
  /** Takes it, or renews it, for five seconds from now; answers whether it is held. */
  take(): Promise<boolean>;
  /** Lets the next one have it at once. */
  release(): Promise<void>;
  /** Calls the listener with whether it is free, whenever another pod takes it, renews it or gives it back; answers how to end that. */
  onChange(listener: (isFree: boolean) => void): () => void;
};

/**
 * A lease in NATS itself, so that services without PostgreSQL have it, too: the last message of a subject, which the stream forgets
 * after five seconds. Who writes it names the sequence of the one before, and JetStream refuses whoever is mistaken.
 */
export function createNatsLease(messaging: Messaging, service: string, name: string): NatsLease {
  const subject = messaging.subject(`${LEASES}.${service}.${name}`);
  const stream = messaging.stream(LEASES);
  const holder = newId();
  let sequence = 0;

  const write = async (text: string, expected: number): Promise<boolean> => {
    try {
      const expect = { lastSubjectSequence: expected };
      ({ seq: sequence } = await messaging.js.publish(subject, text, { timeout: ASK_MS, expect }));
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
        // It ran out, or somebody has it, or the answer to what we wrote last was lost.
        const last = await messaging.manager.streams.getMessage(stream, { last_by_subj: subject });
        const whose = last?.string() ?? NOBODY;
        if (whose !== NOBODY && whose !== holder) return false;
        return await write(holder, last?.seq ?? 0);
      } catch (error) {
        // NATS may have come back empty.
        messaging.knownStreams.delete(stream);
        throw error;
      }
    },
    release: async () => void (await write(NOBODY, sequence)),
    onChange(listener) {
      const changes = messaging.connection.subscribe(subject, {
        callback: (_error, message) => {
          const whose = message.string();
          if (whose !== holder) listener(whose === NOBODY);
        },
      });
      return () => changes.unsubscribe();
    },
  };
}
