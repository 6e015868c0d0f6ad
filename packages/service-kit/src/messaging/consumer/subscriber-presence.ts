import { RequestError } from '@nats-io/transport-node';
import type { Messaging } from '../messaging.ts';

const RESPONSE_TIMEOUT_MS = 2_000;

/** Which events of a shared durable consumer are handled by any live pod (docs/decisions/0013). */
export type SubscriberPresence = {
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
 * Responds for the subjects of this pod, and queries those of others. NATS reports missing subscribers itself, so
 * there is nothing to store, renew, or expire.
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
        // A slow subscriber is still a subscriber.
        return !(error instanceof RequestError && error.isNoResponders());
      }
    },
    close() {
      for (const subscription of answers) subscription.unsubscribe();
    },
  };
}
