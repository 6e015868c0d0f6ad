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
const ONE_AT_A_TIME = 2_000;
const IN_ORDER = 8_000;
/** Events before the leader delivers at full rate. */
const SKIPPED = 1_000;
const POOL = 10;

const counted = defineEvent('bench.event.counted', 1, z.object({ n: z.int() }));
const log = createLogger('bench', 'silent');

/** Events of one subscription that only enter the inbox: one at a time across all aggregates, and in order per aggregate. */
export async function benchEvents(environment: LoadEnvironment): Promise<Figure[]> {
  const url = environment.databaseUrl('users');
  await migrate(url, new URL('../../../services/users/migrations/', import.meta.url));
  const db = createDb(url, POOL, log);
  const messaging = await connectMessaging({
    url: environment.natsUrl,
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
      const before = await rateOf({ db, messaging, name: `one-${round}`, events: ONE_AT_A_TIME, unordered: 1 });
      const after = await rateOf({ db, messaging, name: `ordered-${round}`, events: IN_ORDER });
      rates.push(after);
      ratios.push(after / before);
      environment.print(`  one at a time ${before.toFixed(0)}/s, in order per aggregate ${after.toFixed(0)}/s`);
    }
    const detail = `${AGGREGATES} aggregates, with the inbox, ${POOL} connections`;
    return [
      { what: 'events of one subscription', value: median(rates), unit: '/s', limit: 1_500, sense: 'at least', detail },
      {
        what: 'the same against one at a time',
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

type Run = { db: Db; messaging: Messaging; name: string; events: number; unordered?: number };

/** Events per second at full rate; all events are published before the consumer starts. */
async function rateOf({ db, messaging, name, events, unordered }: Run): Promise<number> {
  await messaging.manager.streams.purge(messaging.stream('bench'));
  await publish(messaging, events);
  const { promise: all, resolve } = Promise.withResolvers<void>();
  let done = 0;
  let startedAt = 0;
  const reaction = on(counted, async () => {
    done += 1;
    if (done === SKIPPED) startedAt = performance.now();
    if (done === events) resolve();
  });
  const running = await startConsumer(
    subscription({ name, reactions: [reaction], from: 'all', ...(unordered === undefined ? {} : { unordered }) }),
    { service: 'bench', messaging, db, log, metrics: createMetrics('bench') },
  );
  await all;
  const rate = (events - SKIPPED) / ((performance.now() - startedAt) / 1_000);
  await running.close();
  return rate;
}

async function publish(messaging: Messaging, events: number): Promise<void> {
  const one = (n: number) => {
    const id = newId();
    const facts = { id, type: counted.type, version: 1, occurredAt: new Date().toISOString() };
    const event = { ...facts, actorId: null, requestId: id, data: { n } };
    return messaging.js.publish(messaging.subject(subjectOf(counted)), JSON.stringify(event), {
      msgID: id,
      headers: aggregateHeaders(`aggregate ${n % AGGREGATES}`),
    });
  };
  for (let from = 0; from < events; from += AGGREGATES)
    await Promise.all(Array.from({ length: Math.min(AGGREGATES, events - from) }, (_, index) => one(from + index)));
}
