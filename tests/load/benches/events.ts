import { defineEvent, subjectOf } from '@atrium/proto-events/event';
import { startConsumer } from '@atrium/service-kit/messaging/consumer/consumer';
import { aggregateHeaders, connectMessaging, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { provisionStreams } from '@atrium/service-kit/messaging/provision-streams';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createMetrics } from '@atrium/service-kit/observability/metrics';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { z } from 'zod';
import { type Figure, median } from '../figures.ts';
import type { LoadEnvironment } from '../load-environment.ts';

const ROUNDS = 3;
const AGGREGATES = 200;
const SEQUENTIAL_EVENTS = 2_000;
const ORDERED_EVENTS = 8_000;
/** Number of events until the leader delivers at full rate. */
const WARM_UP_EVENTS = 1_000;
const POOL = 10;

const counted = defineEvent('bench.event.counted', 1, z.object({ n: z.int() }));
const log = createLogger('bench', 'silent');

/** Handles events that only enter the inbox: one at a time across all aggregates, and in order per aggregate. */
export async function benchEvents(environment: LoadEnvironment): Promise<Figure[]> {
  const url = environment.databaseUrl('users');
  await migrate(url, new URL('../../../services/users/migrations/', import.meta.url));
  const db = createDb(url, POOL, log);
  const messaging = await connectMessaging({
    access: { servers: environment.natsUrl },
    prefix: 'bench_events',
    replicas: 1,
    name: 'bench',
    log,
  });
  try {
    await provisionStreams(messaging.manager, { prefix: 'bench_events', replicas: 1, producers: ['bench'] });
    const rates: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const sequentialRate = await measureRate({
        db,
        messaging,
        name: `one-${round}`,
        events: SEQUENTIAL_EVENTS,
        unordered: 1,
      });
      const orderedRate = await measureRate({ db, messaging, name: `ordered-${round}`, events: ORDERED_EVENTS });
      rates.push(orderedRate);
      ratios.push(orderedRate / sequentialRate);
      environment.print(
        `  one at a time ${sequentialRate.toFixed(0)}/s, in order per aggregate ${orderedRate.toFixed(0)}/s`,
      );
    }
    const detail = `${AGGREGATES} aggregates, with the inbox, ${POOL} connections`;
    return [
      { name: 'events of one subscription', value: median(rates), unit: '/s', limit: 1_500, sense: 'at least', detail },
      {
        name: 'the same against one at a time',
        value: median(ratios),
        unit: '×',
        limit: 2,
        sense: 'at least',
        detail,
      },
    ];
  } finally {
    await messaging.connection.close();
    await db.pool.end();
  }
}

type MeasureRateParams = { db: Db; messaging: Messaging; name: string; events: number; unordered?: number };

/** Measures events per second at full rate. All events are published before the consumer starts. */
async function measureRate({ db, messaging, name, events, unordered }: MeasureRateParams): Promise<number> {
  await messaging.manager.streams.purge(messaging.stream('bench'));
  await publish(messaging, events);
  const { promise: allHandled, resolve } = Promise.withResolvers<void>();
  let handledCount = 0;
  let startedAt = 0;
  const handler = on(counted, async () => {
    handledCount += 1;
    if (handledCount === WARM_UP_EVENTS) startedAt = performance.now();
    if (handledCount === events) resolve();
  });
  const running = await startConsumer(
    subscription({ name, handlers: [handler], from: 'all', ...(unordered === undefined ? {} : { unordered }) }),
    { service: 'bench', messaging, db, log, metrics: createMetrics('bench') },
  );
  await allHandled;
  const rate = (events - WARM_UP_EVENTS) / ((performance.now() - startedAt) / 1_000);
  await running.close();
  return rate;
}

async function publish(messaging: Messaging, events: number): Promise<void> {
  const publishEvent = (n: number) => {
    const id = newId();
    const envelope = { id, type: counted.type, version: 1, occurredAt: new Date().toISOString() };
    const event = { ...envelope, actorId: null, requestId: id, data: { n } };
    return messaging.js.publish(messaging.subject(subjectOf(counted)), JSON.stringify(event), {
      msgID: id,
      headers: aggregateHeaders(`aggregate ${n % AGGREGATES}`),
    });
  };
  for (let from = 0; from < events; from += AGGREGATES)
    await Promise.all(
      Array.from({ length: Math.min(AGGREGATES, events - from) }, (_, index) => publishEvent(from + index)),
    );
}
