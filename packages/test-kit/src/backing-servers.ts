import { randomBytes } from 'node:crypto';
import type { Address, ServerName } from '@atrium/dev-server/backing/server';
import { objectClient } from '@atrium/dev-server/backing/servers/objects';
import type { Addresses } from '@atrium/dev-server/backing/servers/start-backing';
import { PRODUCERS } from '@atrium/proto-events/nats-users';
import { provisionStreams } from '@atrium/service-kit/messaging/provision-streams';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { StreamSet } from './delete-streams.ts';
import { queryDatabase } from './query-database.ts';

/** JSON of name to URL, from Jest's global setup to its workers. */
export const SERVERS_VARIABLE = 'ATRIUM_TEST_SERVERS';
/** Prefix of everything that one test run creates, so that it can be removed from external servers. */
export const RUN_VARIABLE = 'ATRIUM_TEST_RUN';

const serverAt = (name: ServerName): Address => {
  const serialized = process.env[SERVERS_VARIABLE];
  if (!serialized)
    throw new Error('Backing servers are not running. Run this suite with "npm test" or the root jest.config.mjs.');
  const addresses: Partial<Addresses> = JSON.parse(serialized);
  const address = addresses[name];
  if (!address) throw new Error(`This test run has no ${name} server`);
  return address;
};

const runId = (): string => process.env[RUN_VARIABLE] ?? 'atest';
const uniqueName = (name: string): string =>
  `${runId()}_${name.toLowerCase().replace(/\W/g, '_')}_${randomBytes(4).toString('hex')}`;

/** Empty; removed with the test run. */
export const testDatabase = async (name: string): Promise<string> => {
  const { url } = serverAt('postgres');
  const database = uniqueName(name);
  await queryDatabase(url, `create database ${database}`);
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
};

export const directDatabaseEnv = (database: string): { DATABASE_DIRECT_URL?: string } => {
  const { POSTGRES_DIRECT_URL: direct } = process.env;
  if (!direct) return {};
  return { DATABASE_DIRECT_URL: Object.assign(new URL(direct), { pathname: new URL(database).pathname }).href };
};

/** Streams that this suite created; `jest/cleaning-environment.mjs` deletes them at its end. */
const created: StreamSet[] = [];
Object.assign(globalThis, { [Symbol.for('atrium.streams')]: created });

/** With the streams of Atrium, of the test service `notes`, and of further `producers`. `isEmpty`: without any. */
export const testNats = async ({
  producers = [],
  isEmpty = false,
}: {
  producers?: readonly string[];
  isEmpty?: boolean;
} = {}): Promise<{ url: string; prefix: string }> => {
  const { url } = serverAt('nats');
  const prefix = uniqueName('nats');
  const all = [...PRODUCERS, 'notes', ...producers];
  created.push({ url, prefix, producers: all });
  if (!isEmpty) await createStreams(url, { prefix, replicas: 1, producers: all });
  return { url, prefix };
};

/** Creates streams like the operator command, on a NATS without users. */
export async function createStreams(url: string, options: Parameters<typeof provisionStreams>[1]): Promise<void> {
  const connection = await connect({ servers: url });
  try {
    await provisionStreams(await jetstreamManager(connection, { checkAPI: false }), options);
  } finally {
    await connection.close();
  }
}

export const testRedis = async (): Promise<{ url: string; prefix: string }> => ({
  url: serverAt('redis').url,
  prefix: uniqueName('redis'),
});

/** FerretDB accepts names of at most 63 letters. */
export const testMongo = async (name = 'mongo'): Promise<string> =>
  Object.assign(new URL(serverAt('mongo').url), { pathname: `/${uniqueName(name).slice(0, 63)}` }).href;

export interface TestBucket {
  endpoint: string;
  accessKey: string;
  secretKey: string;
  bucket: string;
}

/** A new, empty bucket in the object store, with its credentials. */
export const testBucket = async (): Promise<TestBucket> => {
  const address = serverAt('objects');
  const bucket = uniqueName('bucket').replaceAll('_', '-').slice(0, 63);
  await objectClient(address).makeBucket(bucket);
  return { endpoint: address.url, accessKey: address.accessKey ?? '', secretKey: address.secretKey ?? '', bucket };
};

export const objectStoreEnv = ({ endpoint, accessKey, secretKey, bucket }: TestBucket) => ({
  S3_ENDPOINT: endpoint,
  S3_PUBLIC_URL: endpoint,
  S3_ACCESS_KEY: accessKey,
  S3_SECRET_KEY: secretKey,
  S3_BUCKET: bucket,
});

/** `webUrl` serves `GET /api/messages?to=`. */
export const testMailbox = async (): Promise<{ smtpUrl: string; webUrl: string }> => {
  const { url, webUrl } = serverAt('mailbox');
  if (!webUrl) throw new Error('SMTP_URL is set without MAILBOX_URL. Set MAILBOX_URL to read the emails sent there.');
  return { smtpUrl: url, webUrl };
};
