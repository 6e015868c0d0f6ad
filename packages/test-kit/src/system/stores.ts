import type { DatabaseName } from '@atrium/dev-server/backing/servers/postgres-databases';
import { databaseUrl } from '@atrium/dev-server/backing/servers/postgres-databases';
import { services } from '@atrium/dev-server/system/services';
import { getAddress } from '@atrium/dev-server/system/settings';
import { type BaseLauncherContext, NATS_PREFIX, type System } from '@atrium/dev-server/system/start-system';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { queryDatabase, type Rows } from '../query-database.ts';

export type Stores = {
  databases: readonly DatabaseName[];
  query(database: DatabaseName, sql: string): Promise<Rows>;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
  stream(name: string): string;
  subject(name: string): string;
  mongo: MongoClient;
  close(): Promise<void>;
};

/** A message of a stream. Its subject has no deployment prefix, and `value` is its parsed JSON. */
export type StreamMessage = { subject: string; seq: number; value: unknown };

/** Connects to the stores of a running system. */
export async function openStores(
  { backing }: Pick<System, 'backing'>,
  { secrets }: Pick<BaseLauncherContext, 'secrets'>,
): Promise<Stores> {
  const { url, user, password } = getAddress(backing, 'nats');
  // Reconnects indefinitely, because a test may stop NATS for some time.
  const reconnectOptions = { maxReconnectAttempts: -1, reconnectTimeWait: 250 };
  const connection = await connect({
    servers: url,
    ...reconnectOptions,
    ...(user && password && { user, pass: password }),
  });
  const mongo = new MongoClient(getAddress(backing, 'mongo').url);
  return {
    databases: services.flatMap(({ database }) => database ?? []),
    query: (database, sql) => queryDatabase(databaseUrl(getAddress(backing, 'postgres'), database, secrets), sql),
    jetstream: jetstream(connection),
    manager: await jetstreamManager(connection),
    subject: (name) => `${NATS_PREFIX}.${name}`,
    stream: (name) => `${NATS_PREFIX}_${name}`,
    mongo,
    async close() {
      await Promise.all([connection.close(), mongo.close()]);
    },
  };
}

/** Reads all messages of a stream. */
export async function readStream({ jetstream: js }: Stores, name: string): Promise<StreamMessage[]> {
  const consumer = await js.consumers.get(name);
  let pending = (await consumer.info(true)).num_pending;
  const messages: StreamMessage[] = [];
  while (pending > 0) {
    for await (const message of await consumer.fetch({ max_messages: Math.min(pending, 1_000), expires: 5_000 })) {
      const subject = message.subject.replace(/^(\$KV\.)?[^.]+\./, '');
      messages.push({ subject, seq: message.seq, value: message.data.length > 0 ? message.json() : undefined });
      pending = message.info.pending;
    }
  }
  await consumer.delete();
  return messages;
}
