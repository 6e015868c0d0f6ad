import { testDatabase } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { toAppError } from '../../src/http/http-errors.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { requestContext } from '../../src/observability/request-context.ts';
import { isStatementTimeout } from '../../src/postgres/database-errors.ts';
import { createDb, type Db, type Queryable } from '../../src/postgres/postgres.ts';

it('createDb survives a lost connection during a transaction', async () => {
  const db = createDb(await testDatabase('kit'), 4, createLogger('test', 'silent'));
  const interrupted = db.transaction(async (tx) => {
    const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    await db.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    // The connection is idle while it ends, so that only its listener is notified.
    for (let hasEnded = false; !hasEnded; ) {
      const backends = await db.query('select 1 from pg_stat_activity where pid = $1', [rows[0]?.pid]);
      hasEnded = backends.rowCount === 0;
    }
    await tx.query('select 1');
  });
  await expect(interrupted).rejects.toThrow();
  expect((await db.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await db.pool.end();
});

it.each([
  ['deadlock', 'read committed'],
  ['fail to serialize', 'serializable'],
] as const)('createDb reports a conflict to one of two transactions that %s', async (_description, isolation) => {
  const db = createDb(await testDatabase('kit'), 4, createLogger('test', 'silent'));
  await db.query('create table pairs (id integer primary key, n integer not null)');
  await db.query('insert into pairs values (1, 0), (2, 0)');
  const { promise: bothStarted, resolve: markBothStarted } = Promise.withResolvers<void>();
  let startedCount = 0;
  const change = (first: number, second: number) => async (tx: Queryable) => {
    await tx.query(`set transaction isolation level ${isolation}`);
    // Each has read, or locked, what the other changes next.
    if (isolation === 'serializable') await tx.query('select n from pairs where id = $1', [second]);
    else await tx.query('update pairs set n = n + 1 where id = $1', [first]);
    startedCount += 1;
    if (startedCount === 2) markBothStarted();
    await bothStarted;
    const changed = isolation === 'serializable' ? first : second;
    await tx.query('update pairs set n = n + 1 where id = $1', [changed]);
  };
  const results = await Promise.allSettled([db.transaction(change(1, 2)), db.transaction(change(2, 1))]);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [toAppError(result.reason)] : []));
  expect(failures).toHaveLength(1);
  expect(failures[0]).toMatchObject({ status: 503, code: 'unavailable', extra: { retryAfterSeconds: 1 } });
  await db.pool.end();
});

describe('an added column', () => {
  async function openWithAddedColumn() {
    const db = createDb(await testDatabase('kit'), 2, createLogger('test', 'silent'));
    await db.query('create table things (id integer primary key)');
    await db.query('insert into things values (1)');
    const read = (queryable: Queryable) => queryable.query({ name: 'read-things', text: 'select * from things' });
    // Both connections of the pool prepare the statement.
    await Promise.all([db.transaction((tx) => read(tx)), db.transaction((tx) => read(tx))]);
    expect(db.pool.totalCount).toBe(2);
    await db.query('alter table things add column name text');
    return { db, read };
  }

  it('does not break prepared statements', async () => {
    const { db, read } = await openWithAddedColumn();
    expect((await read(db)).rows).toEqual([{ id: 1, name: null }]);
    await db.pool.end();
  });

  it('does not break transactions, and runs none of them twice', async () => {
    const { db, read } = await openWithAddedColumn();
    await db.transaction(async (tx) => {
      await tx.query('insert into things (id) select max(id) + 1 from things');
      expect((await read(tx)).rows).toEqual([
        { id: 1, name: null },
        { id: 2, name: null },
      ]);
    });
    expect((await db.query('select id from things order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
    await db.pool.end();
  });
});

it('createDb discards a connection to a server that is read-only, as a former primary is', async () => {
  const db = createDb(await testDatabase('kit'), 1, createLogger('test', 'silent'));
  await db.query('create table notes (n integer)');
  await db.query('set default_transaction_read_only = on');
  const write = () => db.transaction((tx) => tx.query('insert into notes values (1)'));
  await expect(write()).rejects.toMatchObject({ code: '25006' });
  await write();
  expect((await db.query('select n from notes')).rowCount).toBe(1);
  await db.pool.end();
});

it('createDb rejects statements immediately if too many wait for a connection', async () => {
  const db = createDb(await testDatabase('kit'), 2, createLogger('test', 'silent'));
  const { promise: holdersDone, resolve: endHolders } = Promise.withResolvers<void>();
  const holders = [1, 2].map(() => db.transaction(() => holdersDone));
  await waitFor(() => db.pool.totalCount === 2 && db.pool.idleCount === 0, {
    description: 'every connection to be taken',
  });
  const waiters = Array.from({ length: 100 }, () => db.query('select 1'));
  await waitFor(() => db.pool.waitingCount === 100, { description: 'a hundred waiters' });
  const start = performance.now();
  await expect(db.query('select 1')).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  await expect(db.transaction(async () => undefined)).rejects.toMatchObject({ status: 503 });
  // Waiting for a connection would take five seconds.
  expect(performance.now() - start).toBeLessThan(4_000);
  endHolders();
  await Promise.all([...holders, ...waiters]);
  await db.pool.end();
});

it('createDb reports a statement timeout as retryable, and limits only the statements of that read', async () => {
  const db = createDb(await testDatabase('kit'), 1, createLogger('test', 'silent'));
  const slow = db.readWithin(50, (tx) => tx.query('select pg_sleep(10)'));
  const error = await slow.catch((failure: unknown) => failure);
  expect(isStatementTimeout(error)).toBe(true);
  expect(toAppError(error)).toMatchObject({ status: 503, code: 'unavailable' });
  const { rows } = await db.readWithin(50, (tx) => tx.query<{ one: number }>('select 1 as one'));
  expect(rows).toEqual([{ one: 1 }]);
  await db.query('select pg_sleep(0.2)');
  await db.pool.end();
});

it('createDb reads for a long time on half of its connections, so that others are free', async () => {
  const db = createDb(await testDatabase('kit'), 4, createLogger('test', 'silent'));
  const { promise, resolve } = Promise.withResolvers<void>();
  let startedCount = 0;
  const reads = [1, 2, 3].map(() =>
    db.readWithin(10_000, () => {
      startedCount += 1;
      return promise;
    }),
  );
  await waitFor(() => startedCount === 2, { description: 'two reads to start' });
  const controller = new AbortController();
  const canceled = db.readWithin(10_000, async () => undefined, controller.signal);
  controller.abort();
  await expect(canceled).rejects.toBe(controller.signal.reason);
  await db.query('select 1');
  expect(startedCount).toBe(2);
  resolve();
  await Promise.all(reads);
  expect(startedCount).toBe(3);
  await db.pool.end();
});

it('createDb reads for one user on half of those connections, so that others need not wait for that user', async () => {
  const db = createDb(await testDatabase('kit'), 8, createLogger('test', 'silent'));
  const { promise, resolve } = Promise.withResolvers<void>();
  const started: string[] = [];
  const readAs = (userId: string, signal?: AbortSignal) => {
    const read = () => {
      started.push(userId);
      return promise;
    };
    return requestContext.run({ requestId: userId, userId }, () => db.readWithin(10_000, read, signal));
  };
  const reads = Array.from({ length: 20 }, () => readAs('ann'));
  const controller = new AbortController();
  const canceled = readAs('ann', controller.signal);
  controller.abort();
  await expect(canceled).rejects.toBe(controller.signal.reason);
  reads.push(readAs('ben'), readAs('ben'));
  await waitFor(() => started.length === 4, { description: 'the reads of both users to start' });
  expect(started.toSorted()).toEqual(['ann', 'ann', 'ben', 'ben']);
  resolve();
  await Promise.all(reads);
  expect(started).toHaveLength(22);
  await db.pool.end();
});

describe('a read with a signal', () => {
  const sleep = (db: Db, signal: AbortSignal, timeoutMs = 10_000) =>
    db.readWithin(timeoutMs, (tx) => tx.query('select pg_sleep(9)'), signal).catch((failure: unknown) => failure);

  it('cancels its statement once the signal aborts, and reads nothing after that', async () => {
    const db = createDb(await testDatabase('kit'), 2, createLogger('test', 'silent'));
    const controller = new AbortController();
    const reading = sleep(db, controller.signal);
    const isRunning = async () => {
      const { rowCount } = await db.query(
        `select from pg_stat_activity where datname = current_database() and state = 'active' and query = 'select pg_sleep(9)'`,
      );
      return rowCount === 1;
    };
    await waitFor(isRunning, { description: 'the statement to run' });
    controller.abort();
    expect(await reading).toBe(controller.signal.reason);
    expect(await isRunning()).toBe(false);
    expect(await sleep(db, controller.signal)).toBe(controller.signal.reason);
    await db.pool.end();
  });

  it('ends by its timeout and leaves its connection to others if none is free to cancel it', async () => {
    const db = createDb(await testDatabase('kit'), 2, createLogger('test', 'silent'));
    const { promise, resolve } = Promise.withResolvers<void>();
    const holder = db.transaction(() => promise);
    const controller = new AbortController();
    const reading = sleep(db, controller.signal, 300);
    await waitFor(() => db.pool.totalCount === 2 && db.pool.idleCount === 0, {
      description: 'both connections to be taken',
    });
    controller.abort();
    const { rows } = await db.query('select 1 as one');
    expect(rows).toEqual([{ one: 1 }]);
    expect(await reading).toBe(controller.signal.reason);
    resolve();
    await holder;
    await db.pool.end();
  });
});

it('createDb gives up an unresponsive database after 20 seconds, and continues with new connections', async () => {
  const proxy = await createFaultyProxy(await testDatabase('kit'));
  const db = createDb(proxy.url, 4, createLogger('test', 'silent'));
  try {
    const query = () => db.query<{ one: number }>('select 1 as one');
    await Promise.all([query(), query(), db.transaction((tx) => tx.query('select 1'))]);
    proxy.stall();
    const startedAt = Date.now();
    const results = await Promise.allSettled([query(), db.transaction((tx) => tx.query('select 1'))]);
    expect(Date.now() - startedAt).toBeLessThan(60_000);
    for (const result of results) {
      const failure = result.status === 'rejected' ? toAppError(result.reason) : undefined;
      expect(failure).toMatchObject({ status: 503, code: 'unavailable' });
    }
    proxy.restore();
    // Broken connections leave the pool once their error arrives.
    await waitFor(() => db.pool.idleCount === 0, { description: 'the pool to discard lost connections' });
    expect((await query()).rows).toEqual([{ one: 1 }]);
    expect(await db.transaction((tx) => tx.query('select 1'))).toHaveProperty('rowCount', 1);
  } finally {
    await db.pool.end();
    await proxy.close();
  }
});
