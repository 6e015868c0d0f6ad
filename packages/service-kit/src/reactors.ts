import { RequestError } from '@nats-io/transport-node';
import type { Messaging } from './messaging.ts';

const ANSWER_MS = 2_000;

/** Who, of all pods that share a durable consumer, reacts to which of its events (docs/decisions/0013). */
export type Reactors = {
  /** Whether a pod that lives reacts to the event. Told `seq`, those that do know that this message is put back for them. */
  has(subject: string, seq?: number): Promise<boolean>;
  close(): void;
};

type Options = {
  messaging: Messaging;
  service: string;
  name: string;
  subjects: readonly string[];
  /** Called for each message that another pod puts back. */
  onPutBack?: (seq: number) => void;
};

/**
 * Answers for this pod's reactions, and asks for others'. NATS itself says when nobody listens on a subject, so there is nothing to
 * keep, to renew or to expire: a pod that is gone answers no more.
 */
export function joinReactors({ messaging, service, name, subjects, onPutBack }: Options): Reactors {
  const { connection } = messaging;
  const subjectOf = (subject: string) => messaging.subject(`reactors.${service}.${name}.${subject}`);
  const answers = subjects.map((subject) =>
    connection.subscribe(subjectOf(subject), {
      callback: (_error, message) => {
        const seq = Number(message.string());
        if (seq > 0) onPutBack?.(seq);
        message.respond();
      },
    }),
  );
  return {
    async has(subject, seq) {
      try {
        await connection.request(subjectOf(subject), seq?.toString(), { timeout: ANSWER_MS });
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
