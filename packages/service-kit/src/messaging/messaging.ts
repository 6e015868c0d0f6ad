import { EventEmitter } from 'node:events';
import { inboxPrefix } from '@atrium/proto-events/nats-users';
import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../observability/logger.ts';
import type { NatsAccess } from './nats-access.ts';
import { isNotFound } from './streams.ts';

/** The producer, so to say, of what no handler could take. */
export const DEAD_LETTERS = 'dead';

/** How long one request for messages lives; also the pause before a consumer looks again after a restart of NATS. */
export const PULL_MS = 2_000;

/** A connection to NATS with JetStream, and the names of this deployment on it. */
export type Messaging = {
  /** The service that holds it. */
  service: string;
  connection: NatsConnection;
  js: JetStreamClient;
  manager: JetStreamManager;
  /** Name of the stream that keeps what `producer` publishes. */
  stream(producer: string): string;
  /** Full subject of `rest`, such as `projects.project.created.v1`. */
  subject(rest: string): string;
  /** Name of the key-value bucket of people and departments. */
  directoryBucket: string;
  /** Name of the key-value bucket of projects. */
  projectsBucket: string;
  replicas: number;
  /** Whether this pod is the one of its service that publishes the outbox. */
  leadsRelay: () => boolean;
  /** Calls the listener each time the connection is back; answers how to end that. */
  onReconnect(listener: () => void): () => void;
  /** Streams known to be there; forgotten when a publish fails, as the server may have come back empty. */
  knownStreams: Set<string>;
};

export type MessagingOptions = {
  url: string;
  /** Who we are and how the line is encrypted; without it nobody in particular, in clear. */
  access?: NatsAccess;
  prefix: string;
  replicas: number;
  name: string;
  log: Logger;
};

/** Connects, or fails soon when no server is there; once connected, comes back to one that goes away, for as long as it takes. */
export async function connectMessaging({
  url,
  access,
  prefix,
  replicas,
  name,
  log,
}: MessagingOptions): Promise<Messaging> {
  const connection = await connect({
    servers: url.split(','),
    ...access,
    name,
    // Answers come where nobody else may listen.
    inboxPrefix: inboxPrefix(name),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 250,
    timeout: 5_000,
    pingInterval: 10_000,
    ignoreAuthErrorAbort: true,
  });
  const reconnects = new EventEmitter().setMaxListeners(0);
  void reportStatus(connection, reconnects, log);
  return {
    service: name,
    connection,
    js: jetstream(connection, { timeout: 5_000 }),
    manager: await jetstreamManager(connection, { timeout: 5_000, checkAPI: false }),
    stream: (producer) => `${prefix}_${producer}`,
    subject: (rest) => `${prefix}.${rest}`,
    directoryBucket: `${prefix}_directory`,
    projectsBucket: `${prefix}_projects`,
    replicas,
    leadsRelay: () => false,
    onReconnect(listener) {
      reconnects.on('reconnect', listener);
      return () => void reconnects.off('reconnect', listener);
    },
    knownStreams: new Set(),
  };
}

async function reportStatus(connection: NatsConnection, reconnects: EventEmitter, log: Logger): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn('the connection to NATS was lost; events wait in the outbox');
    if (status.type !== 'reconnect') continue;
    log.info('connected to NATS again');
    reconnects.emit('reconnect');
  }
}

/** Raised while a stream is missing that an operator's step creates (docs/self-hosting/operations.md). */
export class StreamNotFoundError extends Error {
  constructor(stream: string) {
    super(`The stream ${stream} is missing. Create it with the command "streams" (node src/main.js streams).`);
  }
}

/** Returns the name of a producer's stream. Throws `StreamMissing` where it does not exist: no service may create one (decision 14). */
export async function requireStream(messaging: Messaging, producer: string): Promise<string> {
  const name = messaging.stream(producer);
  if (messaging.knownStreams.has(name)) return name;
  await streamInfo(messaging, name);
  messaging.knownStreams.add(name);
  return name;
}

/** What the server says of a stream. Throws `StreamMissing` where it does not exist. */
export async function streamInfo({ manager }: Messaging, name: string): Promise<StreamInfo> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (isNotFound(error)) throw new StreamNotFoundError(name);
    throw error;
  }
}
