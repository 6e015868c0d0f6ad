import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { containerPart } from '../container.ts';
import { goBuild } from '../providers/go-build.ts';
import { inContainer } from '../providers/in-container.ts';
import { onPath } from '../providers/on-path.ts';
import type { BackingServer, Launch, LauncherContext, Program } from '../server.ts';
import { databaseUrl } from './postgres-databases.ts';

/** As whom a client of FerretDB says that it comes: as the role of PostgreSQL that has its database. */
export const ferretUrl = (port: number, store: string): string => {
  const { username, password } = new URL(store);
  const plain = `127.0.0.1:${port}`;
  return password ? `mongodb://${username}:${password}@${plain}/?authMechanism=PLAIN` : `mongodb://${plain}`;
};

/**
 * FerretDB speaks MongoDB's protocol and keeps its documents in a PostgreSQL database of its own. It has no users: it goes to
 * PostgreSQL as whoever its client says to be. Told no password itself, it can do nothing for a client that has none.
 */
const launchFerret = async (program: Program, toolbox: LauncherContext, port: number): Promise<Launch> => {
  const store = new URL(databaseUrl(await toolbox.address('postgres'), 'ferretdb', toolbox.secrets));
  const address = { url: ferretUrl(port, store.href) };
  if (store.password) {
    store.username = '';
    store.password = '';
  }
  const env = { ...toolbox.env, FERRETDB_POSTGRESQL_URL: store.href };
  const args = ['--listen', `127.0.0.1:${port}`];
  const answers = () => mongo.answers(address);
  return { address, part: { file: program.file, args, env, stopWithinMs: 5_000, answers } };
};

// Yesterday's data has no user, and the first one can be made from within the server's own machine only, which a container is not.
const OPEN = 'asks for no password: whoever has an account on this machine can read the notices and mails in it';

const launchMongod = async (program: Program, toolbox: LauncherContext, port: number): Promise<Launch> => {
  toolbox.listener.say('mongo', OPEN);
  const folder = join(toolbox.home, 'mongo');
  await mkdir(folder, { recursive: true });
  const address = { url: `mongodb://127.0.0.1:${port}` };
  const args = ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--quiet'];
  const answers = () => mongo.answers(address);
  return { address, part: { file: program.file, args, env: toolbox.env, stopWithinMs: 10_000, answers } };
};

export const mongo: BackingServer = {
  name: 'mongo',
  title: 'MongoDB 6 or newer, or FerretDB',
  variables: 'MONGO_URL',
  given: (env) => (env.MONGO_URL ? { url: env.MONGO_URL } : undefined),
  ways: [
    onPath({ names: ['mongod'], least: '6.0' }),
    inContainer('mongo'),
    goBuild({ server: 'mongo', folder: 'ferretdb', module: 'github.com/FerretDB/FerretDB', target: '.' }),
  ],
  async launch(program, toolbox) {
    const port = await toolbox.ports.of('mongo');
    if (program.image) {
      toolbox.listener.say('mongo', OPEN);
      const address = { url: `mongodb://127.0.0.1:${port}` };
      const container = containerPart(program, toolbox, { name: 'mongo', ports: { [port]: 27017 }, data: '/data/db' });
      return { address, part: { ...container, answers: () => mongo.answers(address) } };
    }
    const launch = program.way === 'built with Go' ? launchFerret : launchMongod;
    return launch(program, toolbox, port);
  },
  async answers({ url }) {
    const client = new MongoClient(url, {
      serverSelectionTimeoutMS: 1_500,
      connectTimeoutMS: 1_500,
      directConnection: true,
    });
    try {
      // A read goes all the way to what stores the documents; a ping would end at the front.
      await client.db('atrium').listCollections().toArray();
    } finally {
      await client.close();
    }
  },
};
