import { testDatabase } from '@atrium/test-kit/backing-servers';
import { expect, it } from '@jest/globals';
import { createLogger } from '../src/logger.ts';
import { createDb } from '../src/postgres.ts';

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
