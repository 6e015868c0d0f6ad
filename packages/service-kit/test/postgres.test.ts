import { testDatabase } from '@atrium/test-kit/backing-servers';
import { expect, it } from '@jest/globals';
import { toAppError } from '../src/http-errors.ts';
import { createLogger } from '../src/logger.ts';
import { createDb, type Queryable } from '../src/postgres.ts';

it('outlives the loss of a connection that a transaction holds', async () => {
  const db = createDb(await testDatabase('kit'), 4, createLogger('test', 'silent'));
  const cut = db.transaction(async (tx) => {
    const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    await db.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    // No statement is under way on the connection while it ends, so that nobody but its listener is told.
    for (let gone = false; !gone; ) {
      const left = await db.query('select 1 from pg_stat_activity where pid = $1', [rows[0]?.pid]);
      gone = left.rowCount === 0;
    }
    await tx.query('select 1');
  });
  await expect(cut).rejects.toThrow();
  expect((await db.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await db.pool.end();
});

it.each([
  ['stand in each other’s way', 'read committed'],
  ['were overtaken', 'serializable'],
] as const)('tells one of two transactions that %s to try again', async (_how, isolation) => {
  const db = createDb(await testDatabase('kit'), 4, createLogger('test', 'silent'));
  await db.query('create table pairs (id integer primary key, n integer not null)');
  await db.query('insert into pairs values (1, 0), (2, 0)');
  const { promise: bothBegan, resolve: began } = Promise.withResolvers<void>();
  let begun = 0;
  const change = (first: number, second: number) => async (tx: Queryable) => {
    await tx.query(`set transaction isolation level ${isolation}`);
    // Each has looked at, or locked, what the other changes next.
    if (isolation === 'serializable') await tx.query('select n from pairs where id = $1', [second]);
    else await tx.query('update pairs set n = n + 1 where id = $1', [first]);
    begun += 1;
    if (begun === 2) began();
    await bothBegan;
    const changed = isolation === 'serializable' ? first : second;
    await tx.query('update pairs set n = n + 1 where id = $1', [changed]);
  };
  const ends = await Promise.allSettled([db.transaction(change(1, 2)), db.transaction(change(2, 1))]);
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [toAppError(end.reason)] : []));
  expect(failures).toHaveLength(1);
  expect(failures[0]).toMatchObject({ status: 503, code: 'unavailable', extra: { retryAfterSeconds: 1 } });
  await db.pool.end();
});
