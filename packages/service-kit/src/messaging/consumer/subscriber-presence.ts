import { RequestError } from '@nats-io/transport-node';
import type { Messaging } from '../messaging.ts';

const RESPONSE_TIMEOUT_MS = 2_000;

/** Who, of all pods that share a durable consumer, reacts to which of its events (docs/decisions/0013). */
export type SubscriberPresence = {
  /** Whether a pod that lives reacts to the event. */
  has(subject: string): Promise<boolean>;
  close(): void;
};

type Options = {
  messaging: Messaging;
  service: string;
  name: string;
  subjects: readonly string[];
};

/**
 * Answers for this pod's reactions, and asks for others'. NATS itself says when nobody listens on a subject, so there is nothing to
 * keep, to renew or to expire: a pod that is gone answers no more.
 */
export function joinSubscribers({ messaging, service, name, subjects }: Options): SubscriberPresence {
  const { connection } = messaging;
  const subjectOf = (subject: string) => messaging.subject(`reactors.${service}.${name}.${subject}`);
  const answers = subjects.map((subject) =>
    connection.subscribe(subjectOf(subject), { callback: (_error, message) => void message.respond() }),
  );
  return {
    async has(subject) {
      try {
        await connection.request(subjectOf(subject), undefined, { timeout: RESPONSE_TIMEOUT_MS });
        return true;
      } catch (error) {
        // Whoever is there and slow is there.
        return !(error instanceof RequestError && error.isNoResponders());
      }
    },
    close() {
      for (const subscription of answers) subscription.unsubscribe();
    },
  };
}
