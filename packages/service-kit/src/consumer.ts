import { subjectOf } from '@atrium/proto-events/event';
import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { AppError } from './app-error.ts';
import { isDatabaseDown } from './database-errors.ts';
import type { Logger } from './logger.ts';
import { ensureStream, type Messaging, PULL_MS } from './messaging.ts';
import type { Metrics } from './metrics.ts';
import type { Db } from './postgres.ts';
import { requestContext } from './request-context.ts';
import { InvalidEvent, parseEvent, type Subscription } from './subscription.ts';

const MAX_DELAY_MS = 60_000;
const AWAY_DELAY_MS = 3_000;
const ACK_WAIT_MS = 30_000;
const DEAD = 'dead';

type Deps = { service: string; messaging: Messaging; db: Db | undefined; log: Logger; metrics: Metrics };

/** Delay before attempt n+1, in milliseconds: 100, 200, 400 … 60,000. */
export function retryDelay(attempt: number): number {
  return Math.min(100 * 2 ** (attempt - 1), MAX_DELAY_MS);
}

/** Starts consuming; resolves once the durable consumer exists. `close` lets the event under way finish. */
export async function startConsumer(subscription: Subscription, deps: Deps): Promise<{ close(): Promise<void> }> {
  const { messaging } = deps;
  const stream = await ensureStream(messaging, subscription.producer);
  await ensureStream(messaging, DEAD);
  const durable = `${deps.service}-${subscription.name}`;
  await messaging.manager.consumers.add(stream, {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: subscription.from === 'new' ? DeliverPolicy.New : DeliverPolicy.All,
    filter_subjects: subscription.reactions.map(({ event }) => messaging.subject(subjectOf(event))),
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: subscription.maxInFlight,
    max_deliver: -1,
  });
  const consumer = await messaging.js.consumers.get(stream, durable);
  return consume(consumer, subscription, deps);
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
  const consumer = `${deps.service}-${subscription.name}`;
  try {
    const subject = message.subject.slice(deps.messaging.subject('').length);
    const { reaction, event } = parseEvent(subscription, subject, message.data);
    await requestContext.run({ requestId: event.requestId }, () =>
      runOnce(subscription, reaction, event, consumer, deps),
    );
    message.ack();
    deps.metrics.events.inc({ consumer, outcome: 'done' });
  } catch (error) {
    await settleFailure(message, error, subscription, deps);
  }
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
  const consumer = `${deps.service}-${subscription.name}`;
  const attempt = message.info.deliveryCount;
  const invalid = error instanceof InvalidEvent;
  // A store that is away is not the event's fault: it waits for as long as that takes, and not much longer.
  const away = (error instanceof AppError && error.code === 'unavailable') || isDatabaseDown(error);
  if (!invalid && (away || attempt < subscription.attempts)) {
    deps.log.warn({ err: error, consumer, attempt, subject: message.subject }, 'an event will be tried again');
    deps.metrics.events.inc({ consumer, outcome: 'retried' });
    message.nak(Math.min(retryDelay(attempt), away ? AWAY_DELAY_MS : MAX_DELAY_MS));
    return;
  }
  deps.log.error({ err: error, consumer, subject: message.subject }, 'an event went to the dead letters');
  deps.metrics.events.inc({ consumer, outcome: 'dead' });
  try {
    await deps.messaging.js.publish(deps.messaging.subject(`${DEAD}.${consumer}`), message.data, {
      msgID: `${consumer}:${message.seq}`,
    });
    message.term(invalid ? 'invalid payload' : 'attempts used up');
  } catch (failure) {
    deps.log.warn({ err: failure, consumer }, 'the dead letter could not be kept; the event stays');
    message.nak(60_000);
  }
}
