import { setTimeout as pause } from 'node:timers/promises';
import { subjectOf } from '@atrium/proto-events/event';
import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { AppError } from './app-error.ts';
import { createAttempts } from './attempts.ts';
import { isDatabaseDown } from './database-errors.ts';
import { ACK_WAIT_MS, type Durable, openDurable } from './durable.ts';
import type { Logger } from './logger.ts';
import { DEAD, type Messaging, PULL_MS } from './messaging.ts';
import type { Metrics } from './metrics.ts';
import type { Db } from './postgres.ts';
import { joinReactors, type Reactors } from './reactors.ts';
import { requestContext } from './request-context.ts';
import { startRounds } from './rounds.ts';
import { InvalidEvent, parseEvent, type Subscription, UnknownEvent } from './subscription.ts';

const MAX_DELAY_MS = 60_000;
const AWAY_DELAY_MS = 3_000;
const PUT_BACK_MS = 100;
const ASK_AGAIN_MS = 1_000;
const RECONCILE_MS = 30_000;

type Surroundings = { service: string; messaging: Messaging; db: Db | undefined; log: Logger; metrics: Metrics };
type Attempts = ReturnType<typeof createAttempts>;
type Deps = Surroundings & { durable: Durable; reactors: Reactors; attempts: Attempts; closing: AbortSignal };

/** Delay before attempt n+1, in milliseconds: 100, 200, 400 … 60,000. */
export function retryDelay(attempt: number): number {
  return Math.min(100 * 2 ** (attempt - 1), MAX_DELAY_MS);
}

/**
 * Starts consuming; resolves once the durable consumer asks for what this pod reacts to. `close` lets the event under way finish.
 * An event for which nobody lives is let go after `forsakenMs` (30 seconds).
 */
export async function startConsumer(
  subscription: Subscription,
  surroundings: Surroundings & { forsakenMs?: number },
): Promise<{ close(): Promise<void> }> {
  const { service, messaging, log } = surroundings;
  const subjects = subscription.reactions.map(({ event }) => messaging.subject(subjectOf(event)));
  // First of all: whoever would let an event go must hear that somebody reacts to it.
  const attempts = createAttempts();
  const { name } = subscription;
  const reactors = joinReactors({ messaging, service, name, subjects, onPutBack: attempts.discount });
  try {
    const durable = await openDurable({ ...surroundings, subscription, subjects, reactors });
    const consumer = await messaging.js.consumers.get(durable.stream, durable.name);
    const stop = new AbortController();
    const running = await consume(consumer, subscription, {
      ...surroundings,
      durable,
      reactors,
      attempts,
      closing: stop.signal,
    });
    const rounds = startRounds({
      what: `the consumer ${durable.name}`,
      everyMs: Math.min(RECONCILE_MS, surroundings.forsakenMs ?? RECONCILE_MS),
      round: () => durable.reconcile().then(() => false),
      log,
    });
    return {
      async close() {
        stop.abort();
        await running.close();
        await rounds.close();
        reactors.close();
      },
    };
  } catch (error) {
    reactors.close();
    throw error;
  }
}

async function consume(consumer: Consumer, subscription: Subscription, deps: Deps) {
  const under = new Set<Promise<void>>();
  const messages = await consumer.consume({
    max_messages: Math.max(2, subscription.maxInFlight * 2),
    expires: PULL_MS,
    callback: (message) => {
      const work = deliver(message, subscription, deps).finally(() => under.delete(work));
      under.add(work);
    },
  });
  return {
    async close() {
      await messages.close();
      await Promise.allSettled(under);
    },
  };
}

async function deliver(message: JsMsg, subscription: Subscription, deps: Deps): Promise<void> {
  const consumer = deps.durable.name;
  const working = setInterval(() => message.working(), ACK_WAIT_MS / 3);
  try {
    const subject = message.subject.slice(deps.messaging.subject('').length);
    const { reaction, event } = parseEvent(subscription, subject, message.data);
    await requestContext.run({ requestId: event.requestId }, () =>
      runOnce(subscription, reaction, event, consumer, deps),
    );
    message.ack();
    deps.attempts.forget(message.seq);
    deps.metrics.events.inc({ consumer, outcome: 'done' });
  } catch (error) {
    if (error instanceof UnknownEvent) await leaveToOthers(message, deps);
    else await settleFailure(message, error, subscription, deps);
  } finally {
    clearInterval(working);
  }
}

/**
 * During a rolling update the durable asks for what newer pods react to, and an older one gets it, too. It puts the event back for
 * them. Where none lives it holds the event, in its place, until one is back; once the event is asked for no more, nothing is owed.
 */
async function leaveToOthers(message: JsMsg, { durable, reactors, closing, metrics, log }: Deps): Promise<void> {
  const consumer = durable.name;
  while (!closing.aborted) {
    try {
      if (await reactors.has(message.subject, message.seq)) {
        metrics.events.inc({ consumer, outcome: 'put back' });
        return message.nak(PUT_BACK_MS);
      }
      if (await durable.letGoIfForsaken(message.subject)) {
        log.warn({ consumer, subject: message.subject, seq: message.seq }, 'an event was left, as nobody reacts to it');
        metrics.events.inc({ consumer, outcome: 'left' });
        return message.ack();
      }
    } catch (error) {
      // NATS is slow, or chooses a leader: the event stays in its place meanwhile.
      log.debug({ err: error, consumer }, 'whether others react to an event could not be asked');
    }
    message.working();
    await pause(ASK_AGAIN_MS, undefined, { signal: closing }).catch(() => undefined);
  }
  message.nak();
}

type Parsed = ReturnType<typeof parseEvent>;

async function runOnce(
  subscription: Subscription,
  reaction: Parsed['reaction'],
  event: Parsed['event'],
  consumer: string,
  deps: Deps,
): Promise<void> {
  const { db } = deps;
  if (!db) return reaction.handle(event, noDatabase);
  if (!subscription.inbox) return reaction.handle(event, db);
  await db.transaction(async (tx) => {
    const first = await tx.query(
      'insert into processed_events (consumer, event_id) values ($1, $2) on conflict do nothing',
      [consumer, event.id],
    );
    if (first.rowCount === 1) await reaction.handle(event, tx);
  });
}

const noDatabase = {
  query: () => Promise.reject(new Error('this service has no PostgreSQL database')),
};

async function settleFailure(message: JsMsg, error: unknown, subscription: Subscription, deps: Deps): Promise<void> {
  const consumer = deps.durable.name;
  const attempt = deps.attempts.of(message.seq, message.info.deliveryCount);
  const invalid = error instanceof InvalidEvent;
  // A store that is away is not the event's fault: it waits for as long as that takes, and not much longer.
  const away = (error instanceof AppError && error.code === 'unavailable') || isDatabaseDown(error);
  if (!invalid && (away || attempt < subscription.attempts)) {
    deps.log.warn({ err: error, consumer, attempt, subject: message.subject }, 'an event will be tried again');
    deps.metrics.events.inc({ consumer, outcome: 'retried' });
    if (away) deps.attempts.discount(message.seq);
    message.nak(away ? Math.min(retryDelay(message.info.deliveryCount), AWAY_DELAY_MS) : retryDelay(attempt));
    return;
  }
  deps.log.error({ err: error, consumer, subject: message.subject }, 'an event went to the dead letters');
  deps.metrics.events.inc({ consumer, outcome: 'dead' });
  try {
    const subject = deps.messaging.subject(`${DEAD}.${deps.service}.${subscription.name}`);
    await deps.messaging.js.publish(subject, message.data, { msgID: `${consumer}:${message.seq}` });
    message.term(invalid ? 'invalid payload' : 'attempts used up');
    deps.attempts.forget(message.seq);
  } catch (failure) {
    deps.log.warn({ err: failure, consumer }, 'the dead letter could not be kept; the event stays');
    message.nak(60_000);
  }
}
