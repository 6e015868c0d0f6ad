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

/** Delay before JetStream redelivers an event that this pod does not handle. */
const REQUEUE_DELAY_MS = 100;

async function deliverUnordered(deps: ConsumerDeps, maxInFlight: number): Promise<{ end(): Promise<void> }> {
  const { durable, messaging } = deps;
  const consumer = await messaging.js.consumers.get(durable.stream, durable.name);
  const stopping = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const options = { signal: stopping.signal, attempt: (run: () => Promise<void>) => run(), canPark: false };
  const messages = await consumer.consume({
    max_messages: Math.max(2, maxInFlight * 2),
    expires: PULL_MS,
    callback: (message) => {
      const progressTimer = setInterval(() => message.working(), ACK_WAIT_MS / 3);
      const work = processEvent(message, deps, options)
        .then((outcome) => {
          if (outcome === 'deferred') message.nak();
          if (outcome === 'unhandled') message.nak(REQUEUE_DELAY_MS);
        })
        .finally(() => {
          clearInterval(progressTimer);
          inFlight.delete(work);
        });
      inFlight.add(work);
    },
  });
  return {
    async end() {
      stopping.abort();
      await messages.close();
      await Promise.allSettled(inFlight);
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
  const ownReplaySubject = messaging.subject(replaySubject(producer, service, name));
  const subjects = [...subscription.handlers.map(({ event }) => messaging.subject(subjectOf(event))), ownReplaySubject];
  // Joined first, so that other pods do not consider this pod's events orphaned.
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
    const deps: ConsumerDeps = {
      service,
      subscription,
      replaySubject: ownReplaySubject,
      messaging,
      db,
      log,
      metrics,
      durable,
      subscribers,
    };
    const delivery = await startDelivery(deps, options.bulkhead ?? createBulkhead(db));
    const { reconcile, info } = durable;
    const loop = startPollingLoop({
      name: `consumer ${durable.name}`,
      intervalMs: Math.min(RECONCILE_MS, orphanedAfterMs ?? RECONCILE_MS),
      retryDelayMs: 1_000,
      async round() {
        if (await reconcile()) delivery.restart();
        return false;
      },
      log,
    });
    // Start at 0, since a rate ignores the first value of a series.
    for (const outcome of ['done', 'retried', 'dead', 'parked'])
      metrics.events.inc({ consumer: durable.name, outcome }, 0);
    const removeMetrics = metrics.consumers.add({
      name: durable.name,
      lag: async () => {
        const { num_pending, num_ack_pending } = await info();
        return { pending: num_pending, inFlight: num_ack_pending };
      },
      isLeader: delivery.isLeader,
    });
    // Otherwise deliveries lost with the connection would be redelivered late; and the server may have lost its data.
    const unsubscribe = messaging.onReconnect(() => {
      delivery.restart();
      loop.wake();
    });
    return {
      async close() {
        removeMetrics();
        unsubscribe();
        await loop.close();
        await delivery.close();
        subscribers.close();
      },
    };
  } catch (error) {
    subscribers.close();
    throw error;
  }
}

async function startDelivery(deps: ConsumerDeps, bulkhead: Bulkhead) {
  const { unordered } = deps.subscription;
  if (unordered === undefined) return startLeaderDelivery(deps, bulkhead);
  const { end } = await deliverUnordered(deps, unordered);
  return { isLeader: () => undefined, restart: () => undefined, close: end };
}
