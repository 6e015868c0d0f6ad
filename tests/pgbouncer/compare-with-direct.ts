import assert from 'node:assert/strict';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db, type Queryable } from '@atrium/service-kit/postgres/postgres';

const CLIENTS = 20;
const SETTINGS = ['statement_timeout', 'idle_in_transaction_session_timeout', 'random_page_cost'];

/** Compares the kit's database client through a pooler with direct connections. Throws at the first difference. */
export async function compareWithDirect(urls: { direct: string; pooled: string }, poolSize: number): Promise<string[]> {
  const [direct, pooled] = [openDb(urls.direct), openDb(urls.pooled)];
  try {
    const sharing = await countBackends(pooled);
    assert.ok(sharing <= poolSize, `${CLIENTS} clients use ${sharing} connections without sharing`);
    assert.deepEqual(await settingsOf(pooled), await settingsOf(direct));
    await changeTable(direct, pooled);
    return [
      `${CLIENTS} concurrent transactions share ${sharing} connections`,
      'connections have the same settings as direct ones',
      'a prepared statement works after its table got a column',
    ];
  } finally {
    await Promise.all([direct.pool.end(), pooled.pool.end()]);
  }
}

const openDb = (url: string): Db => createDb(url, CLIENTS, createLogger('pooler', 'warn'));

async function countBackends(db: Db): Promise<number> {
  const ask = async (tx: Queryable) => (await tx.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  const pids = await Promise.all(Array.from({ length: CLIENTS * 5 }, () => db.transaction(ask)));
  return new Set(pids).size;
}

const settingsOf = async (db: Db): Promise<unknown[]> =>
  Promise.all(SETTINGS.map(async (name) => (await db.query(`show ${name}`)).rows[0]));

/** Changes a table after all pooled connections have prepared a statement for it. */
async function changeTable(direct: Db, pooled: Db): Promise<void> {
  const read = (by: Queryable) => by.query({ name: 'read-things', text: 'select * from pooled_things' });
  const many = () => Promise.all(Array.from({ length: CLIENTS * 5 }, () => pooled.transaction(read)));
  await direct.query('create table pooled_things (id integer primary key)');
  await direct.query('insert into pooled_things values (1)');
  await many();
  await direct.query('alter table pooled_things add column name text');
  for (const { rows } of await many()) assert.deepEqual(rows, [{ id: 1, name: null }]);
  assert.deepEqual((await read(pooled)).rows, [{ id: 1, name: null }]);
  await direct.query('drop table pooled_things');
}
