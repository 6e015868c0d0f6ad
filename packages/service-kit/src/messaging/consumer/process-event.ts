import { setTimeout as pause } from 'node:timers/promises';
import { SEQUENCE_HEADER, SUBJECT_HEADER } from '@atrium/proto-events/dead-letters';
import type { JsMsg } from '@nats-io/jetstream';
import { AppError } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { requestContext } from '../../observability/request-context.ts';
import { TRACEPARENT, withSpan } from '../../observability/tracing.ts';
import { isDatabaseUnavailable } from '../../postgres/database-errors.ts';
import type { Db } from '../../postgres/postgres.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Messaging } from '../messaging.ts';
import { InvalidEvent, parseEvent, type Subscription, UnknownEvent } from '../subscription.ts';
import { sendDeadLetter } from './dead-letter.ts';
import type { Durable, SubscriberPresence } from './durable.ts';

const MAX_DELAY_MS = 60_000;
const MAX_UNAVAILABLE_DELAY_MS = 3_000;
const PRESENCE_POLL_MS = 1_000;

export type ConsumerDeps = {
  service: string;
  subscription: Subscription;
  /** The full subject of events that are replayed to this subscription only. */
  replays: string;
  messaging: Messaging;
  db: Db | undefined;
  log: Logger;
  metrics: Metrics;
  durable: Durable;
  subscribers: SubscriberPresence;
};

type ProcessingOptions = {
  signal: AbortSignal;
  attempt: (run: () => Promise<void>) => Promise<void>;
  canPark: boolean;
};

export class NotLeaderError extends Error {}

/** Delay before attempt n+1, in milliseconds: 100, 200, 400 … 60,000. */
export function retryDelay(attempt: number): number {
  return Math.min(100 * 2 ** (attempt - 1), MAX_DELAY_MS);
}

/**
 * Result: `settled`, done or dead-lettered; `unhandled`, other pods handle it; `deferred`, abandoned by this process;
 * `parked`, no pod handles it now and it waits, unacknowledged, for one that does.
 */
export type Outcome = 'settled' | 'unhandled' | 'deferred' | 'parked';

/** How long an event stays parked before it is dead-lettered; longer than a rollback takes. */
const MAX_PARKED_MS = 24 * 60 * 60_000;

export const isPastParking = (message: JsMsg): boolean => Date.now() - message.time.getTime() > MAX_PARKED_MS;

/** The caller reports progress to JetStream meanwhile. */
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
      if (error instanceof NotLeaderError) return 'deferred';
      if (error instanceof UnknownEvent) return handleUnknownEvent(message, deps, options);
      tries += 1;
      // An unavailable store does not count as an attempt: the event is retried until it recovers, and soon afterward.
      const isUnavailable = (error instanceof AppError && error.code === 'unavailable') || isDatabaseUnavailable(error);
      if (!isUnavailable) attempts += 1;
      if (error instanceof InvalidEvent || attempts >= deps.subscription.attempts)
        return deadLetter(message, error, deps, options);
      log.warn({ err: error, consumer, attempt: attempts, subject: message.subject }, 'Event failed; retrying');
      metrics.events.inc({ consumer, outcome: 'retried' });
      await rest(isUnavailable ? Math.min(retryDelay(tries), MAX_UNAVAILABLE_DELAY_MS) : retryDelay(attempts), options);
    }
  } while (!options.signal.aborted);
  return 'deferred';
}

const rest = (ms: number, { signal }: ProcessingOptions) => pause(ms, undefined, { signal }).catch(() => undefined);

/** The subject of an event below the prefix; for a replay or a dead letter, from its header. */
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
    // Publishing belongs to the span that caused it; a producer without tracing passes on the context it received.
    parent: message.headers?.get(TRACEPARENT) || event.traceparent,
  } as const;
  await requestContext.run({ requestId: event.requestId }, () => withSpan(span, react));
}

const noDatabase = {
  query: () => Promise.reject(new Error('This service has no PostgreSQL database')),
};

/**
 * During a rolling update and after a rollback, the durable includes subjects of newer pods, and older pods receive
 * them, too. They never acknowledge such an event: without a newer pod it blocks for half a minute, as one may be
 * restarting, and is then parked, so that its aggregate continues. It is handled once a pod that can is back, and
 * dead-lettered after a day.
 */
async function handleUnknownEvent(message: JsMsg, deps: ConsumerDeps, options: ProcessingOptions): Promise<Outcome> {
  const { durable, subscribers, metrics, log } = deps;
  const consumer = durable.name;
  while (!options.signal.aborted) {
    try {
      if (await subscribers.has(message.subject)) {
        metrics.events.inc({ consumer, outcome: 'requeued' });
        return 'unhandled';
      }
      if (await durable.isOrphaned(message.subject)) {
        const { subject, seq } = message;
        if (!options.canPark || isPastParking(message))
          return deadLetter(message, new UnknownEvent(`No pod handles ${subject}`), deps, options);
        log.warn({ consumer, subject, seq }, 'Event parked until a pod handles it');
        metrics.events.inc({ consumer, outcome: 'parked' });
        return 'parked';
      }
    } catch (error) {
      log.debug({ err: error, consumer }, 'Failed to check whether another pod handles an event');
    }
    await rest(PRESENCE_POLL_MS, options);
  }
  return 'deferred';
}

/** Dead-letters an event, retrying until it is stored; it keeps its place until then. */
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
      log.error({ err: error, consumer, subject, seq }, 'Event dead-lettered');
      metrics.events.inc({ consumer, outcome: 'dead' });
      return 'settled';
    } catch (failure) {
      log.warn({ err: failure, consumer }, 'Failed to store dead letter; retrying');
      await rest(MAX_UNAVAILABLE_DELAY_MS, options);
    }
  }
  return 'deferred';
}
