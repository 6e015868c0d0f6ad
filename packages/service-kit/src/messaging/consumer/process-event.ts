import { setTimeout as delay } from 'node:timers/promises';
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

const MAX_RETRY_DELAY_MS = 60_000;
const MAX_UNAVAILABLE_DELAY_MS = 3_000;
const PRESENCE_POLL_MS = 1_000;

export type ConsumerDeps = {
  service: string;
  subscription: Subscription;
  /** The full subject of events that are replayed to this subscription only. */
  replaySubject: string;
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

/** Returns the delay after a failed attempt, from 1, in milliseconds: 100, 200, 400 … 60,000. */
export function retryDelay(attempt: number): number {
  return Math.min(100 * 2 ** (attempt - 1), MAX_RETRY_DELAY_MS);
}

/**
 * `settled`: done or dead-lettered. `unhandled`: other pods handle the event. `deferred`: this process has abandoned
 * it. `parked`: no pod handles it now, and it waits, unacknowledged, for one that does.
 */
export type Outcome = 'settled' | 'unhandled' | 'deferred' | 'parked';

/** How long an event stays parked before it is dead-lettered; longer than a rollback takes. */
const MAX_PARKED_MS = 24 * 60 * 60_000;

export const isPastParking = (message: JsMsg): boolean => Date.now() - message.time.getTime() > MAX_PARKED_MS;

/** Handles an event, with retries. In the meantime, the caller reports progress to JetStream. */
export async function processEvent(message: JsMsg, deps: ConsumerDeps, options: ProcessingOptions): Promise<Outcome> {
  const { durable, log, metrics } = deps;
  const consumer = durable.name;
  let attempts = 0;
  let failures = 0;
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
      failures += 1;
      // A failure of an unavailable store does not count as an attempt: the event is retried until the store recovers.
      const isUnavailable = (error instanceof AppError && error.code === 'unavailable') || isDatabaseUnavailable(error);
      if (!isUnavailable) attempts += 1;
      if (error instanceof InvalidEvent || attempts >= deps.subscription.attempts)
        return deadLetter(message, error, deps, options);
      log.warn({ err: error, consumer, attempt: attempts, subject: message.subject }, 'Event failed; retrying');
      metrics.events.inc({ consumer, outcome: 'retried' });
      await wait(
        isUnavailable ? Math.min(retryDelay(failures), MAX_UNAVAILABLE_DELAY_MS) : retryDelay(attempts),
        options,
      );
    }
  } while (!options.signal.aborted);
  return 'deferred';
}

const wait = (ms: number, { signal }: ProcessingOptions) => delay(ms, undefined, { signal }).catch(() => undefined);

/** Returns the subject of an event below the prefix; for a replay, from its header. */
function getSubject(message: JsMsg, { messaging, replaySubject }: ConsumerDeps): string {
  const fullSubject = message.subject === replaySubject ? message.headers?.get(SUBJECT_HEADER) : message.subject;
  return (fullSubject ?? '').slice(messaging.subject('').length);
}

async function handle(message: JsMsg, deps: ConsumerDeps): Promise<void> {
  const { subscription, db, durable } = deps;
  const { handler, event } = parseEvent(subscription, getSubject(message, deps), message.data);
  const runHandler = async () => {
    if (!db) return handler.handle(event, noDatabase);
    if (!subscription.inbox) return handler.handle(event, db);
    await db.transaction(async (tx) => {
      const { rowCount } = await tx.query({
        name: 'inbox-enter',
        text: 'insert into processed_events (consumer, event_id) values ($1, $2) on conflict do nothing',
        values: [durable.name, event.id],
      });
      if (rowCount === 1) await handler.handle(event, tx);
    });
  };
  const span = {
    name: `${durable.name} ${event.type}`,
    kind: 'consumer',
    // Publishing belongs to the span that caused the event; a producer without tracing passes on the context it
    // received.
    parent: message.headers?.get(TRACEPARENT) || event.traceparent,
  } as const;
  await requestContext.run({ requestId: event.requestId }, () => withSpan(span, runHandler));
}

/** Passed to handlers of a service without PostgreSQL. */
const noDatabase = {
  query: () => Promise.reject(new Error('This service has no PostgreSQL database')),
};

/**
 * During a rolling update and after a rollback, the durable includes subjects of newer pods, and older pods also
 * receive their events. They never acknowledge such an event. Without a newer pod, it blocks its aggregate for half a
 * minute, since a newer pod may be restarting. Then it is parked, so that its aggregate continues, until a pod that can
 * handle it is back. It is dead-lettered after a day.
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
    await wait(PRESENCE_POLL_MS, options);
  }
  return 'deferred';
}

/** Dead-letters an event, with retries until the dead letter is stored. Until then, the event keeps its place. */
async function deadLetter(
  message: JsMsg,
  error: unknown,
  deps: ConsumerDeps,
  options: ProcessingOptions,
): Promise<Outcome> {
  const { durable, service, subscription, messaging, log, metrics } = deps;
  const consumer = durable.name;
  const subject = messaging.subject(getSubject(message, deps));
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
      await wait(MAX_UNAVAILABLE_DELAY_MS, options);
    }
  }
  return 'deferred';
}
