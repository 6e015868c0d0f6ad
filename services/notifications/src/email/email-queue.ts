import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { type Messaging, publishWithoutOutbox } from '@atrium/service-kit/messaging/messaging';
import { type OutboxRow, outboxRow } from '@atrium/service-kit/messaging/outbox';
import { gaugeAtScrape } from '@atrium/service-kit/observability/metrics';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { outcomeEventId, outcomeOf } from '@atrium/service-kit/process/notification-ids';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { ServiceContext } from '@atrium/service-kit/service/service-definition';
import { Counter, type Registry } from 'prom-client';
import { type Config, sealingKeys } from '../config.ts';
import { expireRecords } from '../store/expire-records.ts';
import type { EmailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { ATTEMPT_OUTCOMES, type DeliveryDeps } from './attempt-delivery.ts';
import { createClaims } from './claims.ts';
import { createDeliveryWorkers } from './delivery-workers.ts';
import type { Mailer } from './mailer.ts';
import { type Mailing, queueEmails, toEventId } from './queue-emails.ts';
import type { Replies } from './reply-address.ts';

const BATCH_SIZE = 100;

/**
 * Publishes outcomes directly to JetStream, because the store has no outbox: an email is due until the publication is
 * acknowledged. Retries have the same event id. Returns whether there may be more.
 */
async function publishOutcomes(store: Store, messaging: Messaging): Promise<boolean> {
  const dueEmails = await store.run(() => store.emails.find({ report: 'due' }).limit(BATCH_SIZE).lean());
  if (dueEmails.length === 0) return false;
  for (const email of dueEmails) {
    await publishWithoutOutbox(messaging, 'notifications', outcomeEvent(email));
    crashPoint('after-outcome-before-note');
    // A later attempt may have ended in the meantime, and its outcome is due as well.
    const { _id, attempts } = email;
    await store.run(() => store.emails.updateOne({ _id, attempts }, { $set: { report: 'done' } }));
  }
  return dueEmails.length === BATCH_SIZE;
}

function outcomeEvent(email: EmailRecord): OutboxRow {
  return outboxRow({
    event: emailDelivered,
    data: emailDelivered.data.parse({
      kind: email.kind,
      about: email.about,
      outcome: outcomeOf(email),
      cause: toEventId(email.mailingId),
    }),
    aggregate: email.about,
    actorId: null,
    id: outcomeEventId(email),
    occurredAt: (email.settledAt ?? email.createdAt).toISOString(),
    requestId: email.requestId,
  });
}

export type EmailQueue = { queue(mailing: Mailing): Promise<void>; close(): Promise<void> };

type EmailQueueDeps = { store: Store; mailer: Mailer; context: ServiceContext<Config>; replies: Replies | undefined };

const POLL_INTERVAL_MS = 2_000;
const HOUR_MS = 60 * 60_000;
/** Time for emails in flight to finish on shutdown; their outcome must still be recorded after it. */
const SHUTDOWN_GRACE_MS = 5_000;

/** The store itself logs outages. */
const isStoreOutage = (error: unknown) => error instanceof AppError && error.code === 'unavailable';

export function startEmailQueue({ store, mailer, context, replies }: EmailQueueDeps): EmailQueue {
  const { config, log } = context;
  const stop = new AbortController();
  let messaging: Messaging | undefined;
  const startLoop = (name: string, intervalMs: number, round: () => Promise<boolean>): PollingLoop =>
    startPollingLoop({ name, intervalMs, isReportedElsewhere: isStoreOutage, log, round });
  const reporter = startLoop('email outcomes', POLL_INTERVAL_MS, async () =>
    messaging ? publishOutcomes(store, messaging) : false,
  );
  const deliveryDeps = {
    store,
    claims: createClaims(store),
    directory: context.directory,
    mailer,
    log,
    countOutcome: registerEmailMetrics(context.metrics.registry, store),
    signal: stop.signal,
    settings: {
      workspace: config.WORKSPACE_NAME,
      publicUrl: config.PUBLIC_URL,
      domain: config.MAIL_DOMAIN,
      replies,
      sealingKeys: sealingKeys(config),
    },
    onSettled: reporter.wake,
  };
  const workers = createDeliveryWorkers(deliveryDeps, () => sender.wake());
  const sender = startLoop('email queue', POLL_INTERVAL_MS, workers.round);
  const retention = { sessionIdleDays: config.SESSION_IDLE_DAYS, log, signal: stop.signal };
  const cleaner = startLoop('record retention', HOUR_MS, () => expireRecords(store, retention));
  // The loops start before the store is connected; without this, the first expiry run would wait an hour.
  store.connected.then(
    () => {
      sender.wake();
      reporter.wake();
    },
    () => undefined,
  );
  store.indexed.then(cleaner.wake, () => undefined);
  void context.messaging.then((connected) => {
    messaging = connected;
    reporter.wake();
  });
  return {
    async queue(mailing) {
      await queueEmails(store, mailing);
      sender.wake();
    },
    async close() {
      stop.abort();
      await Promise.all([sender.close(), workers.close(SHUTDOWN_GRACE_MS), cleaner.close()]);
      await reporter.close();
    },
  };
}

function registerEmailMetrics(registry: Registry, store: Store): DeliveryDeps['countOutcome'] {
  const counter = new Counter({
    name: 'emails_total',
    help: 'Delivery attempts by outcome; `uncertain`: the server may have accepted the email, `withheld`: the email became obsolete',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ATTEMPT_OUTCOMES) counter.inc({ outcome }, 0);
  gaugeAtScrape(registry, {
    name: 'emails_queued',
    help: 'Queued emails that are due; every pod reports the same',
    read: async () => [
      {
        value: await store.run(() =>
          store.emails.countDocuments({ state: 'queued', nextAttemptAt: { $lte: new Date() } }),
        ),
      },
    ],
  });
  return (outcome) => counter.inc({ outcome });
}
