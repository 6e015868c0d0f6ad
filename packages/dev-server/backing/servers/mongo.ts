import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { containerProcess } from '../container.ts';
import { goBuild } from '../providers/go-build.ts';
import { inContainer } from '../providers/in-container.ts';
import { onPath } from '../providers/on-path.ts';
import type { BackingServer, Launch, LauncherContext, Program } from '../server.ts';
import { databaseUrl } from './postgres-databases.ts';

/** With the credentials of the PostgreSQL role that owns FerretDB's database. */
export const ferretUrl = (port: number, store: string): string => {
  const { username, password } = new URL(store);
  const host = `127.0.0.1:${port}`;
  return password ? `mongodb://${username}:${password}@${host}/?authMechanism=PLAIN` : `mongodb://${host}`;
};

/**
 * FerretDB has no users or password: it connects to PostgreSQL with the credentials of its client, so
 * unauthenticated clients can do nothing.
 */
const launchFerret = async (program: Program, context: LauncherContext, port: number): Promise<Launch> => {
  const store = new URL(databaseUrl(await context.address('postgres'), 'ferretdb', context.secrets));
  const address = { url: ferretUrl(port, store.href) };
  if (store.password) {
    store.username = '';
    store.password = '';
  }
  const env = { ...context.env, FERRETDB_POSTGRESQL_URL: store.href };
  const args = ['--listen', `127.0.0.1:${port}`];
  const responses = () => mongo.check(address);
  return { address, part: { file: program.file, args, env, stopWithinMs: 5_000, answers: responses } };
};

// Existing data has no user, and the first user can be created only from localhost, which a container is not.
const OPEN = 'has no password: other accounts on this machine can read notifications and emails in it';

const launchMongod = async (program: Program, context: LauncherContext, port: number): Promise<Launch> => {
  context.listener.say('mongo', OPEN);
  const folder = join(context.home, 'mongo');
  await mkdir(folder, { recursive: true });
  const address = { url: `mongodb://127.0.0.1:${port}` };
  const args = ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--quiet'];
  const responses = () => mongo.check(address);
  return { address, part: { file: program.file, args, env: context.env, stopWithinMs: 10_000, answers: responses } };
};

export const mongo: BackingServer = {
  name: 'mongo',
  title: 'MongoDB 6 or newer, or FerretDB',
  variables: 'MONGO_URL',
  getConfigured: (env) => (env.MONGO_URL ? { url: env.MONGO_URL } : undefined),
  providers: [
    onPath({ names: ['mongod'], minVersion: '6.0' }),
    inContainer('mongo'),
    goBuild({ server: 'mongo', folder: 'ferretdb', module: 'github.com/FerretDB/FerretDB', target: '.' }),
  ],
  async launch(program, context) {
    const port = await context.ports.of('mongo');
    if (program.image) {
      context.listener.say('mongo', OPEN);
      const address = { url: `mongodb://127.0.0.1:${port}` };
      const container = containerProcess(program, context, {
        name: 'mongo',
        ports: { [port]: 27017 },
        data: '/data/db',
      });
      return { address, part: { ...container, answers: () => mongo.check(address) } };
    }
    const launch = program.provider === 'built with Go' ? launchFerret : launchMongod;
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
