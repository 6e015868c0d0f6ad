import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import { startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import { startTestSystem } from '@atrium/dev-server/system/start-system';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { createRoleFixture } from '../flows/authorization/roles/role-fixture.ts';
import { startPooler } from './start-pooler.ts';

const CLIENTS = 20;
const SETTINGS = ['statement_timeout', 'idle_in_transaction_session_timeout', 'random_page_cost'];

/** Compares the kit's database client through a pooler with direct connections. Throws at the first difference. */
async function compareWithDirect(urls: { direct: string; pooled: string }, poolSize: number): Promise<string[]> {
  const direct = openDb(urls.direct);
  const pooled = openDb(urls.pooled);
  try {
    const connectionCount = await countBackends(pooled);
    assert.ok(connectionCount <= poolSize, `${CLIENTS} clients use ${connectionCount} connections without sharing`);
    assert.deepEqual(await settingsOf(pooled), await settingsOf(direct));
    await changeTable(direct, pooled);
    return [
      `${CLIENTS} concurrent transactions share ${connectionCount} connections`,
      'connections have the same settings as direct ones',
      'a prepared statement works after its table got a column',
    ];
  } finally {
    await Promise.all([direct.pool.end(), pooled.pool.end()]);
  }
}

const openDb = (url: string): Db => createDb(url, CLIENTS, createLogger('pooler', 'warn'));

async function countBackends(db: Db): Promise<number> {
  const getBackendPid = async (tx: Queryable) =>
    (await tx.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  const pids = await Promise.all(Array.from({ length: CLIENTS * 5 }, () => db.transaction(getBackendPid)));
  return new Set(pids).size;
}

const settingsOf = async (db: Db): Promise<unknown[]> =>
  Promise.all(SETTINGS.map(async (name) => (await db.query(`show ${name}`)).rows[0]));

/** Changes a table after all pooled connections have prepared a statement for it. */
async function changeTable(direct: Db, pooled: Db): Promise<void> {
  const read = (db: Queryable) => db.query({ name: 'read-things', text: 'select * from pooled_things' });
  const readConcurrently = () => Promise.all(Array.from({ length: CLIENTS * 5 }, () => pooled.transaction(read)));
  await direct.query('create table pooled_things (id integer primary key)');
  await direct.query('insert into pooled_things values (1)');
  await readConcurrently();
  await direct.query('alter table pooled_things add column name text');
  for (const { rows } of await readConcurrently()) assert.deepEqual(rows, [{ id: 1, name: null }]);
  assert.deepEqual((await read(pooled)).rows, [{ id: 1, name: null }]);
  await direct.query('drop table pooled_things');
}

// `npm run test:pgbouncer`: runs service test suites through PgBouncer in transaction mode.
const SUITES = [
  'services/auth/test/sessions.api.test.ts',
  'services/auth/test/accounts.api.test.ts',
  'services/meetings/test/series.api.test.ts',
  'services/meetings/test/meetings.api.test.ts',
];
/** Small, so that services always share connections. */
const POOL_SIZE = 4;
const ROLE = 'check_pooler';
const print = (line: string) => void process.stdout.write(`${line}\n`);

const requestedSuites = process.argv.slice(2);
const context = ephemeralContext({ line: () => undefined, log: (name, text) => print(`${name}: ${text}`) });
const backing = await startBacking(context, ['postgres']);
try {
  const direct = new URL(backing.addresses.postgres?.url ?? '');
  const password = context.secrets.get('pooler');
  await queryDatabase(direct.href, `create role ${ROLE} superuser login password '${password}'`);
  const postgres = Object.assign(direct, { username: ROLE, password });
  const pooler = await startPooler(postgres, POOL_SIZE);
  try {
    print(`PgBouncer ${pooler.version}, ${POOL_SIZE} connections for each database`);
    for (const line of await compareWithDirect({ direct: postgres.href, pooled: pooler.url }, POOL_SIZE))
      print(`  ${line}`);
    await workInSystem({ POSTGRES_URL: pooler.url, POSTGRES_DIRECT_URL: postgres.href });
    print('  a complete Atrium creates users, projects, meetings, documents, and conversations');
    const test = fileURLToPath(new URL('../../packages/dev-server/test.ts', import.meta.url));
    const env = { ...process.env, POSTGRES_URL: pooler.url, POSTGRES_DIRECT_URL: postgres.href };
    const args = [
      '--disable-warning=ExperimentalWarning',
      test,
      ...(requestedSuites.length > 0 ? requestedSuites : SUITES),
    ];
    const [code] = await once(spawn(process.execPath, args, { env, stdio: 'inherit' }), 'exit');
    process.exitCode = code ?? 1;
  } finally {
    await pooler.close();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await backing.stop();
  await context.reaper.close();
  context.ports.release();
}

/** Starts Atrium on an external PostgreSQL and creates everything once. Throws if any of it fails. */
async function workInSystem(env: Record<string, string>): Promise<void> {
  const system = await startTestSystem({ env });
  try {
    await createRoleFixture(system.url);
  } finally {
    await system.stop();
  }
}
