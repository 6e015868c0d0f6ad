import { replaySubject } from '@atrium/proto-events/dead-letters';
import { subjectOf } from '@atrium/proto-events/event';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Db } from '../../postgres/postgres.ts';
import { startPollingLoop } from '../../process/polling-loop.ts';
import { type Messaging, PULL_MS } from '../messaging.ts';
import type { Subscription } from '../subscription.ts';
import { type Bulkhead, createBulkhead } from './deliver-in-order.ts';
import { ACK_WAIT_MS, joinSubscribers, openDurable } from './durable.ts';
import { startLeaderDelivery } from './leader-delivery.ts';
import { type ConsumerDeps, processEvent } from './process-event.ts';

const REQUEUE_DELAY_MS = 100;

async function deliverUnordered(deps: ConsumerDeps, inFlight: number): Promise<{ end(): Promise<void> }> {
  const { durable, messaging } = deps;
  const consumer = await messaging.js.consumers.get(durable.stream, durable.name);
  const ending = new AbortController();
  const under = new Set<Promise<void>>();
  const options = { signal: ending.signal, attempt: (run: () => Promise<void>) => run(), canPark: false };
  const messages = await consumer.consume({
    max_messages: Math.max(2, inFlight * 2),
    expires: PULL_MS,
    callback: (message) => {
      const working = setInterval(() => message.working(), ACK_WAIT_MS / 3);
      const work = processEvent(message, deps, options)
        .then((outcome) => {
          if (outcome === 'deferred') message.nak();
          if (outcome === 'unhandled') message.nak(REQUEUE_DELAY_MS);
        })
        .finally(() => {
          clearInterval(working);
          under.delete(work);
        });
      under.add(work);
    },
  });
  return {
    async end() {
      ending.abort();
      await messages.close();
      await Promise.allSettled(under);
    },
  };
}

const RECONCILE_MS = 30_000;

type ConsumerOptions = {
  service: string;
  messaging: Messaging;
  db: Db | undefined;
  log: Logger;
  metrics: Metrics;
  bulkhead?: Bulkhead;
  orphanedAfterMs?: number;
};

/**
 * Starts consuming; resolves once the durable consumer includes this pod's subjects. `close` waits for events in
 * flight. An event that no pod handles is parked after `orphanedAfterMs` (30 seconds).
 */
export async function startConsumer(
  subscription: Subscription,
  options: ConsumerOptions,
): Promise<{ close(): Promise<void> }> {
  const { service, messaging, db, log, metrics, orphanedAfterMs } = options;
  const { name, producer } = subscription;
  const replays = messaging.subject(replaySubject(producer, service, name));
  const subjects = [...subscription.reactions.map(({ event }) => messaging.subject(subjectOf(event))), replays];
  // Joined first: other pods must not consider this pod's events orphaned.
  const subscribers = joinSubscribers({ messaging, service, name, subjects });
  try {
    const durable = await openDurable({
      service,
      messaging,
      subscription,
      subjects,
      subscribers,
      ...(orphanedAfterMs === undefined ? {} : { orphanedAfterMs }),
    });
    const deps: ConsumerDeps = { service, subscription, replays, messaging, db, log, metrics, durable, subscribers };
    const running = await start(deps, options.bulkhead ?? createBulkhead(db));
    const { reconcile, info } = durable;
    const loop = startPollingLoop({
      what: `consumer ${durable.name}`,
      intervalMs: Math.min(RECONCILE_MS, orphanedAfterMs ?? RECONCILE_MS),
      retryDelayMs: 1_000,
      async round() {
        if (await reconcile()) running.restart();
        return false;
      },
      log,
    });
    // Initialized with 0, or the first increase would not count as one.
    for (const outcome of ['done', 'retried', 'dead', 'parked'])
      metrics.events.inc({ consumer: durable.name, outcome }, 0);
    const unfollow = metrics.consumers.follow({
      name: durable.name,
      lag: async () => {
        const { num_pending, num_ack_pending } = await info();
        return { pending: num_pending, inFlight: num_ack_pending };
      },
      leads: running.leads,
    });
    // Deliveries lost with the connection are redelivered late, and the server may have lost its data.
    const unsubscribe = messaging.onReconnect(() => {
      running.restart();
      loop.wake();
    });
    return {
      async close() {
        unfollow();
        unsubscribe();
        await loop.close();
        await running.close();
        subscribers.close();
      },
    };
  } catch (error) {
    subscribers.close();
    throw error;
  }
}

async function start(deps: ConsumerDeps, bulkhead: Bulkhead) {
  const { unordered } = deps.subscription;
  if (unordered === undefined) return startLeaderDelivery(deps, bulkhead);
  const delivery = await deliverUnordered(deps, unordered);
  return { leads: () => undefined, restart: () => undefined, close: delivery.end };
}
