import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { containerProcess } from '../container.ts';
import { goBuild } from '../providers/go-build.ts';
import { inContainer } from '../providers/in-container.ts';
import { onPath } from '../providers/on-path.ts';
import type { BackingServer, Launch, LauncherContext, Program } from '../server.ts';
import { databaseUrl } from './postgres-databases.ts';

/** Returns FerretDB's URL, with the credentials of the PostgreSQL role that owns its database. */
export const ferretUrl = (port: number, storeUrl: string): string => {
  const { username, password } = new URL(storeUrl);
  const host = `127.0.0.1:${port}`;
  return password ? `mongodb://${username}:${password}@${host}/?authMechanism=PLAIN` : `mongodb://${host}`;
};

/**
 * FerretDB has neither users nor a password. It connects to PostgreSQL with the credentials of its client, so
 * unauthenticated clients have no access.
 */
const launchFerret = async (program: Program, context: LauncherContext, port: number): Promise<Launch> => {
  const storeUrl = new URL(databaseUrl(await context.address('postgres'), 'ferretdb', context.secrets));
  const address = { url: ferretUrl(port, storeUrl.href) };
  if (storeUrl.password) {
    storeUrl.username = '';
    storeUrl.password = '';
  }
  const env = { ...context.env, FERRETDB_POSTGRESQL_URL: storeUrl.href };
  const args = ['--listen', `127.0.0.1:${port}`];
  const checkReady = () => mongo.check(address);
  return { address, spec: { file: program.file, args, env, stopTimeoutMs: 5_000, checkReady } };
};

// Data of previous runs has no users, and clients of a container cannot create the first one (localhost exception).
const NO_PASSWORD_WARNING = 'has no password: other accounts on this machine can read notifications and emails in it';

const launchMongod = async (program: Program, context: LauncherContext, port: number): Promise<Launch> => {
  context.listener.log('mongo', NO_PASSWORD_WARNING);
  const folder = join(context.home, 'mongo');
  await mkdir(folder, { recursive: true });
  const address = { url: `mongodb://127.0.0.1:${port}` };
  const args = ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--quiet'];
  const checkReady = () => mongo.check(address);
  return { address, spec: { file: program.file, args, env: context.env, stopTimeoutMs: 10_000, checkReady } };
};

export const mongo: BackingServer = {
  name: 'mongo',
  title: 'MongoDB 6 or newer, or FerretDB',
  envVariables: 'MONGO_URL',
  getAddressFromEnv: (env) => (env.MONGO_URL ? { url: env.MONGO_URL } : undefined),
  providers: [
    onPath({ names: ['mongod'], minVersion: '6.0' }),
    inContainer('mongo'),
    goBuild({ server: 'mongo', folder: 'ferretdb', module: 'github.com/FerretDB/FerretDB', target: '.' }),
  ],
  async launch(program, context) {
    const port = await context.ports.reserve('mongo');
    if (program.image) {
      context.listener.log('mongo', NO_PASSWORD_WARNING);
      const address = { url: `mongodb://127.0.0.1:${port}` };
      const container = containerProcess(program, context, {
        name: 'mongo',
        ports: { [port]: 27017 },
        data: '/data/db',
      });
      return { address, spec: { ...container, checkReady: () => mongo.check(address) } };
    }
    const launch = program.provider === 'go-build' ? launchFerret : launchMongod;
    return launch(program, context, port);
  },
  async check({ url }) {
    const client = new MongoClient(url, {
      serverSelectionTimeoutMS: 1_500,
      connectTimeoutMS: 1_500,
      directConnection: true,
    });
    try {
      // A read reaches the database that stores the documents; a ping would not.
      await client.db('atrium').listCollections().toArray();
    } finally {
      await client.close();
    }
  },
};
