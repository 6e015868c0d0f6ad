import { inboxPrefix } from '@atrium/proto-events/nats-users';
import { createInbox, headers, RequestError } from '@nats-io/transport-node';
import type { Messaging } from '../messaging.ts';

const ANSWER_MS = 2_000;

/** Says of a request that whoever asks keeps order by a lease (docs/decisions/0020); pods of before send none. */
const KEEPS_ORDER = 'Atrium-Keeps-Order';
/** The same of an answer; pods of before answer with nothing. */
const ORDERED = 'keeps order';

/** Who, of all pods that share a durable consumer, reacts to which of its events (docs/decisions/0013). */
export type Reactors = {
  /** Whether a pod that lives reacts to the event. Told `seq`, pods of before know that this message is put back for them. */
  has(subject: string, seq?: number): Promise<boolean>;
  /**
   * Whether a pod lives that knows nothing of the lease, and keeps order by having one event under way at a time: whether one says so
   * within this time, as there may be any number of them. Where the signal ends the wait, one may.
   */
  hasOlder(withinMs: number, signal: AbortSignal): Promise<boolean>;
  close(): void;
};

type Options = {
  messaging: Messaging;
  service: string;
  name: string;
  subjects: readonly string[];
  /** A pod of before has asked, which it does before it takes its first event: it is answered once this is done. */
  onOlder?: () => Promise<void>;
};

/**
 * Answers for this pod's reactions, and asks for others'. NATS itself says when nobody listens on a subject, so there is nothing to
 * keep, to renew or to expire: a pod that is gone answers no more.
 */
export function joinReactors({ messaging, service, name, subjects, onOlder }: Options): Reactors {
  const { connection } = messaging;
  const subjectOf = (subject: string) => messaging.subject(`reactors.${service}.${name}.${subject}`);
  const answers = subjects.map((subject) =>
    connection.subscribe(subjectOf(subject), {
      callback: (_error, message) => {
        const isOlder = !message.headers?.has(KEEPS_ORDER);
        const ready = isOlder && onOlder ? onOlder().catch(() => undefined) : Promise.resolve();
        void ready.then(() => message.respond(ORDERED));
      },
    }),
  );
  const marked = () => {
    const marks = headers();
    marks.set(KEEPS_ORDER, '1');
    return marks;
  };
  return {
    async has(subject, seq) {
      try {
        await connection.request(subjectOf(subject), seq?.toString(), { timeout: ANSWER_MS, headers: marked() });
        return true;
      } catch (error) {
        // Whoever is there and slow is there.
        return !(error instanceof RequestError && error.isNoResponders());
      }
    },
    async hasOlder(withinMs, signal) {
      const { promise: found, resolve } = Promise.withResolvers<boolean>();
      const inbox = createInbox(inboxPrefix(messaging.service));
      const heard = connection.subscribe(inbox, {
        callback: (_error, message) => {
          // Where nobody listens at all NATS answers itself, with a status.
          if (message.data.length === 0 && !message.headers?.hasError) resolve(true);
        },
      });
      const timer = setTimeout(() => resolve(false), withinMs);
      const stop = () => resolve(true);
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      for (const subject of subjects) connection.publish(subjectOf(subject), '', { reply: inbox, headers: marked() });
      try {
        return await found;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        heard.unsubscribe();
      }
    },
    close() {
      for (const subscription of answers) subscription.unsubscribe();
    },
  };
}
