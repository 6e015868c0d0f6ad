import { startConsumer } from './consumer.ts';
import { feedDirectory } from './directory-feed.ts';
import type { BaseConfig } from './env.ts';
import { connectMessaging, ensureStream, type Messaging } from './messaging.ts';
import { startRelay } from './outbox-relay.ts';
import type { Db } from './postgres.ts';
import { retryUntilDone } from './retry.ts';
import { feedRevocations } from './revocations.ts';
import type { Kit, ServiceParts } from './service-parts.ts';

type Options = {
  service: string;
  config: BaseConfig;
  db: Db | undefined;
  parts: ServiceParts;
  kit: Kit<BaseConfig>;
  signal: AbortSignal;
};

/** Everything that needs NATS, in the order in which it may begin: streams, directory, revocations, relay, consumers. */
export async function startMessaging({ service, config, db, parts, kit, signal }: Options) {
  const { log } = kit;
  const step = <T>(what: string, run: () => Promise<T>) => retryUntilDone(what, run, log, signal);
  const messaging = await step('NATS', () =>
    connectMessaging({
      url: config.NATS_URL,
      prefix: config.NATS_PREFIX,
      replicas: config.NATS_REPLICAS,
      name: service,
      log,
    }),
  );
  const closeEarly = () => void messaging.connection.close();
  signal.addEventListener('abort', closeEarly);
  if (signal.aborted) closeEarly();
  await step('streams', () => ensureStream(messaging, service));
  const feed = await step('directory', () => feedDirectory(kit.directory, messaging, log));
  const revoked = await step('revocations', () => feedRevocations(kit.revocations, messaging));
  const relay = db && startRelay(service, db, messaging, log);
  const consumers: { close(): Promise<void> }[] = [];
  for (const subscription of parts.subscriptions ?? []) {
    const deps = { service, messaging, db, log, metrics: kit.metrics };
    consumers.push(await step(subscription.name, () => startConsumer(subscription, deps)));
  }
  signal.removeEventListener('abort', closeEarly);
  return { messaging, close: () => closeAll({ messaging, feed, revoked, relay, consumers }) };
}

type Open = {
  messaging: Messaging;
  feed: { close(): void };
  revoked: { close(): Promise<void> };
  relay: { close(): Promise<void> } | undefined;
  consumers: { close(): Promise<void> }[];
};

async function closeAll({ messaging, feed, revoked, relay, consumers }: Open): Promise<void> {
  await Promise.allSettled(consumers.map((consumer) => consumer.close()));
  await relay?.close();
  await revoked.close();
  feed.close();
  // Draining sends the last acknowledgements; without a server there is nobody to send them to.
  const drained = messaging.connection.drain();
  await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, 2_000).unref())]).catch(() => undefined);
  await messaging.connection.close().catch(() => undefined);
}
