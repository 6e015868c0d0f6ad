import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unprivilegedAccount } from '@atrium/dev-server/backing/servers/unprivileged';
import { freePort } from '@atrium/test-kit/free-port';
import { waitFor } from '@atrium/test-kit/wait-for';
import pg from 'pg';

const INI = new URL('../../deploy/pgbouncer/pgbouncer.ini', import.meta.url);
const MIN_VERSION = [1, 21];

export type Pooler = { version: string; url: string; close(): Promise<void> };

/** Starts the installed PgBouncer with the documented configuration. Throws if it is not installed. */
export async function startPooler(postgres: URL, poolSize: number): Promise<Pooler> {
  const program = process.env.PGBOUNCER ?? 'pgbouncer';
  const version = findVersion(program);
  const folder = mkdtempSync(join(tmpdir(), 'atrium-pooler-'));
  const port = await freePort();
  const settings: Record<string, string> = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    auth_file: join(folder, 'userlist.txt'),
    default_pool_size: String(poolSize),
    unix_socket_dir: '',
    logfile: '',
  };
  const account = await unprivilegedAccount();
  writeFileSync(join(folder, 'pgbouncer.ini'), withSettings(settings, postgres));
  writeFileSync(join(folder, 'userlist.txt'), `"${postgres.username}" "${postgres.password}"\n`, { mode: 0o600 });
  if (account) {
    chmodSync(folder, 0o700);
    for (const path of [folder, join(folder, 'userlist.txt')]) chownSync(path, account.uid, account.gid);
  }
  const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...account,
  });
  const url = Object.assign(new URL(postgres), { host: `127.0.0.1:${port}` }).href;
  await waitFor(() => acceptsQueries(url), { description: 'PgBouncer to accept queries' });
  return {
    version,
    url,
    async close() {
      child.kill('SIGINT');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

function findVersion(program: string): string {
  const { error, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (error) throw new Error(`PgBouncer not found: install "pgbouncer" on the PATH, or set PGBOUNCER`);
  const [, version = '', major, minor] = /PgBouncer ((\d+)\.(\d+)\S*)/.exec(stdout) ?? [];
  const isOld =
    Number(major) < (MIN_VERSION[0] ?? 0) ||
    (Number(major) === MIN_VERSION[0] && Number(minor) < (MIN_VERSION[1] ?? 0));
  if (version === '' || isOld)
    throw new Error(
      `PgBouncer ${version} does not support prepared statements; install ${MIN_VERSION.join('.')} or newer`,
    );
  return version;
}

function withSettings(settings: Record<string, string>, { hostname, port }: URL): string {
  const text = readFileSync(INI, 'utf8').replace('host=postgres port=5432', `host=${hostname} port=${port}`);
  const otherLines = text.split('\n').filter((line) => !((line.split(' = ')[0] ?? '') in settings));
  const settingLines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return [...otherLines, ...settingLines, ''].join('\n');
}

async function acceptsQueries(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
