import { EventEmitter } from 'node:events';
import { AGGREGATE_HEADER } from '@atrium/proto-events/dead-letters';
import { inboxPrefix } from '@atrium/proto-events/nats-users';
import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { connect, headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../observability/logger.ts';
import type { NatsAccess } from './nats-access.ts';
import type { OutboxRow } from './outbox.ts';

export const DEAD_LETTERS = 'dead';

/** Lifetime of one pull request, and the delay before a consumer checks again after a restart of NATS. */
export const PULL_MS = 2_000;

export type Messaging = {
  service: string;
  connection: NatsConnection;
  js: JetStreamClient;
  manager: JetStreamManager;
  stream(producer: string): string;
  subject(rest: string): string;
  directoryBucket: string;
  projectsBucket: string;
  replicas: number;
  /** False until `startRelay` replaces it. */
  isRelayLeader: () => boolean;
  /** Returns a function that removes the listener. */
  onReconnect(listener: () => void): () => void;
  /** Streams known to exist; cleared when a publish fails, as the server may have lost its data. */
  knownStreams: Set<string>;
};

type MessagingOptions = {
  access: NatsAccess;
  prefix: string;
  replicas: number;
  name: string;
  log: Logger;
};

export async function connectMessaging({ access, prefix, replicas, name, log }: MessagingOptions): Promise<Messaging> {
  const connection = await connect({
    ...access,
    name,
    // Responses arrive where no other user can subscribe.
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
    isRelayLeader: () => false,
    onReconnect(listener) {
      reconnects.on('reconnect', listener);
      return () => void reconnects.off('reconnect', listener);
    },
    knownStreams: new Set(),
  };
}

async function reportStatus(connection: NatsConnection, reconnects: EventEmitter, log: Logger): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn('NATS connection lost; events wait in the outbox');
    if (status.type !== 'reconnect') continue;
    log.info('NATS connection restored');
    reconnects.emit('reconnect');
  }
}

/** Thrown while a stream is missing, which an operator must create (docs/self-hosting/operations.md). */
export class StreamNotFoundError extends Error {
  constructor(stream: string) {
    super(`The stream ${stream} is missing. Create it with the command "streams" (node src/main.js streams).`);
  }
}

/**
 * Returns the name of a producer's stream. Throws `StreamNotFoundError` if it does not exist: services cannot create
 * it.
 */
export async function requireStream(messaging: Messaging, producer: string): Promise<string> {
  const name = messaging.stream(producer);
  if (messaging.knownStreams.has(name)) return name;
  await streamInfo(messaging, name);
  messaging.knownStreams.add(name);
  return name;
}

/** Throws `StreamNotFoundError` if the stream does not exist. */
export async function streamInfo({ manager }: Messaging, name: string): Promise<StreamInfo> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (isNotFound(error)) throw new StreamNotFoundError(name);
    throw error;
  }
}

const CONSUMER_NOT_FOUND = 10_014;
const STREAM_NOT_FOUND = 10_059;
const MESSAGE_NOT_FOUND = 10_037;

const hasCode = (error: unknown, ...codes: number[]): boolean =>
  error instanceof JetStreamApiError && codes.includes(error.code);

export const isNotFound = (error: unknown): boolean =>
  hasCode(error, CONSUMER_NOT_FOUND, STREAM_NOT_FOUND, MESSAGE_NOT_FOUND);

/**
 * Resolves once the event is acknowledged. JetStream drops a duplicate id within minutes, and the consumers' inboxes
 * drop it later.
 */
export async function publishWithoutOutbox(messaging: Messaging, producer: string, row: OutboxRow): Promise<void> {
  await requireStream(messaging, producer);
  await messaging.js.publish(messaging.subject(row.subject), row.payload, {
    msgID: row.messageId,
    headers: aggregateHeaders(row.aggregate),
  });
}

/** Header with the id of the transaction that caused the event, in the database of its producer. */
export const TRANSACTION = 'Atrium-Transaction';

/**
 * Returns the headers of an event of this aggregate. An event without them is handled exclusively, before all later
 * events.
 */
export function aggregateHeaders(aggregate: string): MsgHdrs {
  const messageHeaders = headers();
  messageHeaders.set(AGGREGATE_HEADER, aggregate);
  return messageHeaders;
}
