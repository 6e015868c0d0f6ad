import { type NatsStream, natsStreams } from '@atrium/proto-events/nats-streams';
import { STREAMS_USER } from '@atrium/proto-events/nats-users';
import type { JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import type { StreamsConfig } from '../config/env.ts';
import { createLogger } from '../observability/logger.ts';
import { retryUntilDone } from '../process/retry.ts';
import { connectMessaging, isNotFound } from './messaging.ts';
import { readNatsAccess } from './nats-access.ts';

type Options = {
  prefix: string;
  replicas: number;
  producers?: readonly string[];
};

/** Creates missing streams, and extends those with lower limits than declared. Idempotent. */
export async function provisionStreams(manager: JetStreamManager, options: Options): Promise<void> {
  // In order: a mirror must follow its stream.
  for (const declared of natsStreams(options.prefix, options.producers))
    await provisionStream(manager, declared, options.replicas);
}

async function provisionStream(manager: JetStreamManager, declared: NatsStream, replicas: number): Promise<void> {
  const { streams } = manager;
  // The declaration has the format of the JetStream API, a subset of the client's type.
  const config = { ...declared, num_replicas: replicas } as unknown as StreamConfig;
  const existing = await findConfig(manager, declared.name);
  if (existing) await extendStream(manager, existing, config);
  else await streams.add(config);
}

const findConfig = (manager: JetStreamManager, name: string): Promise<StreamConfig | undefined> =>
  manager.streams.info(name).then(
    ({ config }) => config,
    (error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    },
  );

/** Returns the longer age; JetStream represents "forever" as 0. */
const maxAge = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : Math.max(a, b));

/** Never lowers limits, which is up to the operator. */
async function extendStream(manager: JetStreamManager, existing: StreamConfig, declared: StreamConfig): Promise<void> {
  const subjects = [...new Set([...(existing.subjects ?? []), ...(declared.subjects ?? [])])];
  const extendedConfig = {
    ...(subjects.length > 0 && { subjects }),
    max_age: maxAge(existing.max_age, declared.max_age),
    duplicate_window: Math.max(existing.duplicate_window, declared.duplicate_window),
    num_replicas: Math.max(existing.num_replicas, declared.num_replicas),
  };
  const isUpToDate =
    subjects.length === (existing.subjects ?? []).length &&
    extendedConfig.max_age === existing.max_age &&
    extendedConfig.duplicate_window === existing.duplicate_window &&
    extendedConfig.num_replicas === existing.num_replicas;
  if (!isUpToDate) await manager.streams.update(existing.name, extendedConfig);
}

export async function runProvisionStreams(config: StreamsConfig): Promise<void> {
  const log = createLogger(STREAMS_USER, config.LOG_LEVEL);
  const { NATS_PREFIX: prefix, NATS_REPLICAS: replicas } = config;
  const run = async () => {
    const access = readNatsAccess(config, STREAMS_USER);
    const options = { access, prefix, replicas, name: STREAMS_USER, log };
    const { connection, manager } = await connectMessaging(options);
    try {
      await provisionStreams(manager, { prefix, replicas });
    } finally {
      await connection.close();
    }
  };
  await retryUntilDone('Provisioning streams', run, log, new AbortController().signal);
  log.info({ prefix, replicas }, 'Streams and buckets provisioned');
}
