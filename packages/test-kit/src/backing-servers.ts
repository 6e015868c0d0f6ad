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

/** Holds a JSON object of server addresses by name, which Jest's global setup passes to its workers. */
export const SERVERS_VARIABLE = 'ATRIUM_TEST_SERVERS';
/** Holds the prefix of everything that a test run creates, so that it can be removed from external servers. */
export const RUN_VARIABLE = 'ATRIUM_TEST_RUN';

const getServer = (name: ServerName): Address => {
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

/** Creates an empty database, which is removed with the test run. */
export const testDatabase = async (name: string): Promise<string> => {
  const { url } = getServer('postgres');
  const database = uniqueName(name);
  await queryDatabase(url, `create database ${database}`);
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
};

export const directDatabaseEnv = (database: string): { DATABASE_DIRECT_URL?: string } => {
  const { POSTGRES_DIRECT_URL: url } = process.env;
  if (!url) return {};
  return { DATABASE_DIRECT_URL: Object.assign(new URL(url), { pathname: new URL(database).pathname }).href };
};

/** The streams of this suite, which `jest/cleaning-environment.mjs` deletes when the suite ends. */
const createdStreams: StreamSet[] = [];
Object.assign(globalThis, { [Symbol.for('atrium.streams')]: createdStreams });

/** Creates the streams of Atrium, of the test service `notes`, and of `producers`; none if `isEmpty`. */
export const testNats = async ({
  producers = [],
  isEmpty = false,
}: {
  producers?: readonly string[];
  isEmpty?: boolean;
} = {}): Promise<{ url: string; prefix: string }> => {
  const { url } = getServer('nats');
  const prefix = uniqueName('nats');
  const allProducers = [...PRODUCERS, 'notes', ...producers];
  createdStreams.push({ url, prefix, producers: allProducers });
  if (!isEmpty) await createStreams(url, { prefix, replicas: 1, producers: allProducers });
  return { url, prefix };
};

/** Creates streams like the operator command, on a NATS server without users. */
export async function createStreams(url: string, options: Parameters<typeof provisionStreams>[1]): Promise<void> {
  const connection = await connect({ servers: url });
  try {
    await provisionStreams(await jetstreamManager(connection, { checkAPI: false }), options);
  } finally {
    await connection.close();
  }
}

export const testRedis = async (): Promise<{ url: string; prefix: string }> => ({
  url: getServer('redis').url,
  prefix: uniqueName('redis'),
});

/** Returns the URL of a new database. FerretDB accepts names of at most 63 letters. */
export const testMongo = async (name = 'mongo'): Promise<string> =>
  Object.assign(new URL(getServer('mongo').url), { pathname: `/${uniqueName(name).slice(0, 63)}` }).href;

export interface TestBucket {
  endpoint: string;
  accessKey: string;
  secretKey: string;
  bucket: string;
}

/** Creates an empty bucket in the object store. */
export const testBucket = async (): Promise<TestBucket> => {
  const address = getServer('objects');
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

/** Returns the addresses of the mail catcher. `webUrl` serves `GET /api/messages?to=`. */
export const testMailbox = async (): Promise<{ smtpUrl: string; webUrl: string }> => {
  const { url, webUrl } = getServer('mailbox');
  if (!webUrl) throw new Error('SMTP_URL is set without MAILBOX_URL. Set MAILBOX_URL to read the emails sent there.');
  return { smtpUrl: url, webUrl };
};
