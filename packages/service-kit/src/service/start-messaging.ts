import type { BaseConfig } from '../config/env.ts';
import { followDirectory } from '../directory/follow-directory.ts';
import { followProjects } from '../directory/project-directory.ts';
import { followRevocations } from '../directory/revocations.ts';
import { startConsumer } from '../messaging/consumer/consumer.ts';
import { createBulkhead } from '../messaging/consumer/deliver-in-order.ts';
import { connectMessaging, type Messaging, requireStream } from '../messaging/messaging.ts';
import { readNatsAccess } from '../messaging/nats-access.ts';
import { startRelay } from '../messaging/outbox-relay.ts';
import { startCountsPublisher } from '../messaging/publish-counts.ts';
import type { Db } from '../postgres/postgres.ts';
import { retryUntilDone } from '../process/retry.ts';
import type { ServiceContext, ServiceDefinition } from './service-definition.ts';

const MAX_CONFIRM_INTERVAL_MS = 10_000;

type Options = {
  service: string;
  config: BaseConfig;
  db: Db | undefined;
  backgroundDb: Db | undefined;
  definition: ServiceDefinition;
  context: ServiceContext<BaseConfig>;
  signal: AbortSignal;
};

/** Connects to NATS and starts everything that needs it, in the order of dependencies. */
export async function startMessaging({ service, config, db, backgroundDb, definition, context, signal }: Options) {
  const { log } = context;
  const retry = <T>(taskName: string, run: () => Promise<T>) => retryUntilDone(taskName, run, log, signal);
  const confirmIntervalMs = Math.min(MAX_CONFIRM_INTERVAL_MS, (config.DIRECTORY_MAX_AGE_SECONDS * 1000) / 3);
  const messaging = await retry('NATS', () =>
    connectMessaging({
      access: readNatsAccess(config, service),
      prefix: config.NATS_PREFIX,
      replicas: config.NATS_REPLICAS,
      name: service,
      log,
    }),
  );
  const closeEarly = () => void messaging.connection.close();
  signal.addEventListener('abort', closeEarly);
  if (signal.aborted) closeEarly();
  // Parts are closed in reverse order, even if the service stops before all of them have started.
  const closers: (() => unknown)[] = [() => disconnect(messaging)];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    signal.throwIfAborted();
    await retry('streams', () => requireStream(messaging, service));
    const startPart = async (taskName: string, run: () => Promise<{ close(): unknown }>) => {
      const part = await retry(taskName, run);
      closers.push(() => part.close());
    };
    // Started concurrently, since each waits for several responses from NATS, and readiness waits for all of them.
    await allOrThrow([
      startPart('directory', () => followDirectory(context.directory, messaging, { log, confirmIntervalMs })),
      ...(definition.needsProjectDirectory
        ? [startPart('projects', () => followProjects(context.projects, messaging, log))]
        : []),
      startPart('revocations', () => followRevocations(context.revocations, messaging, log)),
    ]);
    if (db && backgroundDb) {
      const counts = definition.counts && startCountsPublisher(definition.counts, messaging, log);
      const onPublished = (subjects: readonly string[]) => counts?.onPublished(subjects);
      const relay = startRelay(service, { db, relayDb: backgroundDb }, { messaging, log, onPublished });
      closers.push(() => Promise.all([relay.close(), counts?.close()]));
    }
    const bulkhead = createBulkhead(db);
    const deps = { service, messaging, db, log, metrics: context.metrics, bulkhead };
    const consumers: { close(): Promise<void> }[] = [];
    closers.push(() => Promise.allSettled(consumers.map((consumer) => consumer.close())));
    await allOrThrow(
      (definition.subscriptions ?? []).map(async (subscription) => {
        consumers.push(await retry(subscription.name, () => startConsumer(subscription, deps)));
      }),
    );
  } catch (error) {
    await close();
    throw error;
  } finally {
    signal.removeEventListener('abort', closeEarly);
  }
  return { messaging, close };
}

/** Waits for all of them even if one has failed, since each started one must be closed. */
async function allOrThrow(pending: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(pending)) if (result.status === 'rejected') throw result.reason;
}

/** Drains the connection, which sends the last acknowledgments, unless no server is connected. */
async function disconnect({ connection }: Messaging): Promise<void> {
  if (connection.isClosed()) return;
  const draining = connection.drain();
  await Promise.race([draining, new Promise((resolve) => setTimeout(resolve, 2_000).unref())]).catch(() => undefined);
  await connection.close().catch(() => undefined);
}
