import { setTimeout as pause } from 'node:timers/promises';
import { SEQUENCE_HEADER, SUBJECT_HEADER } from '@atrium/proto-events/dead-letters';
import type { JsMsg } from '@nats-io/jetstream';
import { AppError } from '../../http/app-error.ts';
import { requestContext } from '../../http/request-context.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { inSpan, TRACEPARENT } from '../../observability/tracing.ts';
import { isDatabaseUnavailable } from '../../postgres/database-errors.ts';
import type { Db } from '../../postgres/postgres.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Messaging } from '../messaging.ts';
import { InvalidEvent, parseEvent, type Subscription, UnknownEvent } from '../subscription.ts';
import { sendDeadLetter } from './dead-letter.ts';
import type { Durable } from './durable.ts';
import type { SubscriberPresence } from './subscriber-presence.ts';

const MAX_DELAY_MS = 60_000;
const MAX_UNAVAILABLE_DELAY_MS = 3_000;
const PRESENCE_POLL_MS = 1_000;

/** What the consumer of a subscription works with. */
export type ConsumerDeps = {
  service: string;
  subscription: Subscription;
  /** The full subject of what is replayed to this subscription alone. */
  replays: string;
  messaging: Messaging;
  db: Db | undefined;
  log: Logger;
  metrics: Metrics;
  durable: Durable;
  subscribers: SubscriberPresence;
};

export type ProcessingOptions = {
  /** Aborted when this process is to try no more than once what it has. */
  signal: AbortSignal;
  /** Runs one attempt as soon as it may; rejects with `LeftToOthers` where it may no more. */
  attempt: (run: () => Promise<void>) => Promise<void>;
  /** Whether an event to which nobody reacts can stay unacknowledged without keeping others from their turn. */
  canPark: boolean;
};

/** Raised where an attempt must not begin any more. */
export class NotLeaderError extends Error {}

/** Delay before attempt n+1, in milliseconds: 100, 200, 400 … 60,000. */
export function retryDelay(attempt: number): number {
  return Math.min(100 * 2 ** (attempt - 1), MAX_DELAY_MS);
}

/**
 * How it ended: nothing is owed anymore, others react to it and this process does not, it is to be left as it is, or nobody reacts to it
 * now and it waits, unacknowledged, for a pod that does.
 */
export type Outcome = 'settled' | 'for others' | 'left' | 'parked';

/** How long an event waits for a pod that reacts to it before it goes to the dead letters: a rollback is over by then. */
const MAX_PARKED_MS = 24 * 60 * 60_000;

export const isPastParking = (message: JsMsg): boolean => Date.now() - message.time.getTime() > MAX_PARKED_MS;

/** Tries an event, in this process, until it is done or dead. Whoever calls tells JetStream meanwhile that it is worked on. */
export async function processEvent(message: JsMsg, deps: ConsumerDeps, options: ProcessingOptions): Promise<Outcome> {
  const { durable, log, metrics } = deps;
  const consumer = durable.name;
  let attempts = 0;
  let tries = 0;
  do {
    try {
      await options.attempt(() => handle(message, deps));
      crashPoint('after-effect-before-ack');
      message.ack();
      metrics.events.inc({ consumer, outcome: 'done' });
      return 'settled';
    } catch (error) {
      if (error instanceof NotLeaderError) return 'left';
      if (error instanceof UnknownEvent) return handleUnknownEvent(message, deps, options);
      tries += 1;
      // A store that is away is not the event's fault: it waits for as long as that takes, and not much longer.
      const isUnavailable = (error instanceof AppError && error.code === 'unavailable') || isDatabaseUnavailable(error);
      if (!isUnavailable) attempts += 1;
      if (error instanceof InvalidEvent || attempts >= deps.subscription.attempts)
        return deadLetter(message, error, deps, options);
      log.warn({ err: error, consumer, attempt: attempts, subject: message.subject }, 'an event will be tried again');
      metrics.events.inc({ consumer, outcome: 'retried' });
      await rest(isUnavailable ? Math.min(retryDelay(tries), MAX_UNAVAILABLE_DELAY_MS) : retryDelay(attempts), options);
    }
  } while (!options.signal.aborted);
  return 'left';
}

const rest = (ms: number, { signal }: ProcessingOptions) => pause(ms, undefined, { signal }).catch(() => undefined);

/** The subject of an event below the prefix; that of a replayed one, or of a dead letter, stands in a header. */
function subjectOf(message: JsMsg, { messaging, replays }: ConsumerDeps): string {
  const full = message.subject === replays ? message.headers?.get(SUBJECT_HEADER) : message.subject;
  return (full ?? '').slice(messaging.subject('').length);
}

async function handle(message: JsMsg, deps: ConsumerDeps): Promise<void> {
  const { subscription, db, durable } = deps;
  const { reaction, event } = parseEvent(subscription, subjectOf(message, deps), message.data);
  const react = async () => {
    if (!db) return reaction.handle(event, noDatabase);
    if (!subscription.inbox) return reaction.handle(event, db);
    await db.transaction(async (tx) => {
      const first = await tx.query({
        name: 'inbox-enter',
        text: 'insert into processed_events (consumer, event_id) values ($1, $2) on conflict do nothing',
        values: [durable.name, event.id],
      });
      if (first.rowCount === 1) await reaction.handle(event, tx);
    });
  };
  const span = {
    name: `${durable.name} ${event.type}`,
    kind: 'consumer',
    // Publishing it belongs to what caused it; a producer without traces of its own passes on what it was told.
    parent: message.headers?.get(TRACEPARENT) || event.traceparent,
  } as const;
  await requestContext.run({ requestId: event.requestId }, () => inSpan(span, react));
}

const noDatabase = {
  query: () => Promise.reject(new Error('this service has no PostgreSQL database')),
};

/**
 * During a rolling update, and after a rollback, the durable asks for what newer pods react to, and an older one gets it, too. It is never
 * acknowledged here: where no newer pod runs it is held in its place for half a minute, as one may be restarting, and then waits aside, so
 * that others of its aggregate continue. It is handled once a pod that reacts to it is back, and becomes a dead letter after a day.
 */
async function handleUnknownEvent(message: JsMsg, deps: ConsumerDeps, options: ProcessingOptions): Promise<Outcome> {
  const { durable, subscribers, metrics, log } = deps;
  const consumer = durable.name;
  while (!options.signal.aborted) {
    try {
      if (await subscribers.has(message.subject)) {
        metrics.events.inc({ consumer, outcome: 'put back' });
        return 'for others';
      }
      if (await durable.isOrphaned(message.subject)) {
        const { subject, seq } = message;
        if (!options.canPark || isPastParking(message))
          return deadLetter(message, new UnknownEvent(`no pod reacts to ${subject}`), deps, options);
        log.warn({ consumer, subject, seq }, 'Event parked until a pod that reacts to it runs');
        metrics.events.inc({ consumer, outcome: 'parked' });
        return 'parked';
      }
    } catch (error) {
      // NATS is slow, or chooses a leader: the event stays in its place meanwhile.
      log.debug({ err: error, consumer }, 'whether others react to an event could not be asked');
    }
    await rest(PRESENCE_POLL_MS, options);
  }
  return 'left';
}

/** Puts an event among the dead letters, as often as it takes: it stays in its place until it is kept there. */
async function deadLetter(
  message: JsMsg,
  error: unknown,
  deps: ConsumerDeps,
  options: ProcessingOptions,
): Promise<Outcome> {
  const { durable, service, subscription, messaging, log, metrics } = deps;
  const consumer = durable.name;
  const subject = messaging.subject(subjectOf(message, deps));
  const seq = Number(message.headers?.get(SEQUENCE_HEADER) || message.seq);
  while (!options.signal.aborted) {
    try {
      await sendDeadLetter(messaging, { service, subscription: subscription.name, message, subject, seq, error });
      crashPoint('after-dead-letter-before-term');
      message.term(error instanceof InvalidEvent ? 'invalid payload' : 'attempts used up');
      log.error({ err: error, consumer, subject, seq }, 'an event went to the dead letters');
      metrics.events.inc({ consumer, outcome: 'dead' });
      return 'settled';
    } catch (failure) {
      log.warn({ err: failure, consumer }, 'the dead letter could not be kept; the event stays');
      await rest(MAX_UNAVAILABLE_DELAY_MS, options);
    }
  }
  return 'left';
}
