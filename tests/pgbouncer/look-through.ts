import assert from 'node:assert/strict';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db, type Queryable } from '@atrium/service-kit/postgres/postgres';

const AT_ONCE = 20;
const SETTINGS = ['statement_timeout', 'idle_in_transaction_session_timeout', 'random_page_cost'];

/** Holds what the kit's database is through a pooler against what it is without one. Throws at the first difference. */
export async function lookThrough(urls: { direct: string; pooled: string }, poolSize: number): Promise<string[]> {
  const [direct, pooled] = [openDb(urls.direct), openDb(urls.pooled)];
  try {
    const sharing = await countBackends(pooled);
    assert.ok(sharing <= poolSize, `${AT_ONCE} clients have ${sharing} connections: they do not share them`);
    assert.deepEqual(await settingsOf(pooled), await settingsOf(direct));
    await changeTable(direct, pooled);
    return [
      `${AT_ONCE} transactions at once share ${sharing} connections`,
      'connections have the same settings as without it',
      'a statement that was prepared before its table got a column is answered',
    ];
  } finally {
    await Promise.all([direct.pool.end(), pooled.pool.end()]);
  }
}

const openDb = (url: string): Db => createDb(url, AT_ONCE, createLogger('pooler', 'warn'));

async function countBackends(db: Db): Promise<number> {
  const ask = async (tx: Queryable) => (await tx.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  const pids = await Promise.all(Array.from({ length: AT_ONCE * 5 }, () => db.transaction(ask)));
  return new Set(pids).size;
}

const settingsOf = async (db: Db): Promise<unknown[]> =>
  Promise.all(SETTINGS.map(async (name) => (await db.query(`show ${name}`)).rows[0]));

/** All connections of the pooler have the plan, and keep it. */
async function changeTable(direct: Db, pooled: Db): Promise<void> {
  const read = (by: Queryable) => by.query({ name: 'read-things', text: 'select * from pooled_things' });
  const many = () => Promise.all(Array.from({ length: AT_ONCE * 5 }, () => pooled.transaction(read)));
  await direct.query('create table pooled_things (id integer primary key)');
  await direct.query('insert into pooled_things values (1)');
  await many();
  await direct.query('alter table pooled_things add column name text');
  for (const { rows } of await many()) assert.deepEqual(rows, [{ id: 1, name: null }]);
  assert.deepEqual((await read(pooled)).rows, [{ id: 1, name: null }]);
  await direct.query('drop table pooled_things');
}
