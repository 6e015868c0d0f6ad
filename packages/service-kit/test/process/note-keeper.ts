import { pathToFileURL } from 'node:url';
import { startConsumer } from '@atrium/service-kit/messaging/consumer/consumer';
import { connectMessaging } from '@atrium/service-kit/messaging/messaging';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { startRelay } from '@atrium/service-kit/messaging/outbox-relay';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createMetrics } from '@atrium/service-kit/observability/metrics';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { armCrashPoints } from '@atrium/service-kit/process/crash-point';
import { exampleEvent } from '../notes.ts';

/**
 * A process that stores notes: it migrates its schema, publishes its outbox, and consumes its own events. With `NOTE`
 * it first writes that note twice, in one transaction. Handling `poison` always fails.
 */
const { DATABASE_URL = '', MIGRATIONS_DIR = '', NATS_URL = '', NATS_PREFIX = '', CRASH_POINTS_DIR, NOTE } = process.env;
const log = createLogger('notes', 'silent');
armCrashPoints(CRASH_POINTS_DIR, log);
await migrate(DATABASE_URL, pathToFileURL(MIGRATIONS_DIR));
const db = createDb(DATABASE_URL, 4, log);
const messaging = await connectMessaging({
  access: { servers: NATS_URL },
  prefix: NATS_PREFIX,
  replicas: 1,
  name: 'notes',
  log,
});
startRelay('notes', { db, relayDb: db }, { messaging, log });
const handler = on(exampleEvent, async ({ data: { note, n } }, tx) => {
  if (note === 'poison') throw new Error('cannot be handled');
  await tx.query('insert into handled (note, n) values ($1, $2)', [note, n]);
});
await startConsumer(subscription({ name: 'notes', handlers: [handler], from: 'all', attempts: 1 }), {
  service: 'reader',
  messaging,
  db,
  log,
  metrics: createMetrics('notes'),
});
if (NOTE) {
  await db.transaction(async (tx) => {
    for (const n of [1, 2])
      await appendEvent(tx, { event: exampleEvent, data: { note: NOTE, n }, aggregate: NOTE, actorId: null });
  });
}
