import pg, { type QueryConfig } from 'pg';
import { NOT_AVAILABLE, unavailable } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';
import { requestContext } from '../observability/request-context.ts';
import { isTracing, type SpanOptions, withSpan } from '../observability/tracing.ts';
import { createKeyedSemaphore, createSemaphore } from '../process/concurrency.ts';
import { crashPoint } from '../process/crash-point.ts';
import { isDatabaseUnavailable } from './database-errors.ts';

// Counts and sequence numbers stay far below 2^53, so bigint is read as number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type Queryable = {
  // biome-ignore lint/suspicious/noExplicitAny: the row type is the caller's statement, as in pg's own signature
  query<Row extends pg.QueryResultRow = any>(
    query: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>>;
};

export type Db = Queryable & {
  /** Commits when `work` resolves, and rolls back when it rejects. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /**
   * Only reads, so it calls no listener of `onCommit`. A statement that takes longer than `timeoutMs` fails. If `signal`
   * aborts, cancels the statement that runs, and rejects with the reason. At most half of the connections read this way,
   * and half of these, rounded up, for one user, whose further reads wait without delaying those of others.
   */
  readWithin<T>(timeoutMs: number, work: (tx: Queryable) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Calls the listeners of `onCommit` after a commit that did not use `transaction`. */
  notifyCommitted(): void;
  onCommit(listener: () => void): void;
  pool: pg.Pool;
};

/** Maximum waiters per connection of the pool; any more are rejected immediately. */
const MAX_WAITING_PER_CONNECTION = 50;

/**
 * Connects lazily. Fails with `unavailable` if a connection takes longer than 5 seconds, if too many callers wait for
 * one, or if a statement takes longer than 15 seconds. A connection without any response for 20 seconds is closed,
 * since its server may be lost.
 */
export function createDb(url: string, max: number, log: Logger): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 15_000,
    query_timeout: 20_000,
    idle_in_transaction_session_timeout: 20_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // SSDs have fast random access, which PostgreSQL's default underestimates. Compiling a statement (JIT) takes
    // longer than running it.
    options: '-c random_page_cost=1.1 -c jit=off',
  });
  // The pool reports only idle connections; without a listener, one that breaks while in use would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'Database connection lost'));
  });
  pool.on('error', () => undefined);
  const maxLongReads = Math.max(1, Math.floor(max / 2));
  const longReads = createSemaphore(maxLongReads);
  const userReads = createKeyedSemaphore(Math.ceil(maxLongReads / 2));
  const listeners: (() => void)[] = [];
  const notifyCommitted = () => {
    for (const listener of listeners) listener();
  };
  const rejectIfOverloaded = () => {
    if (pool.waitingCount >= max * MAX_WAITING_PER_CONNECTION) throw unavailable(NOT_AVAILABLE);
  };
  const inTransaction = async <T>(work: (tx: Queryable) => Promise<T>, prepare: Prepare): Promise<T> => {
    rejectIfOverloaded();
    const client = await pool.connect();
    let connectionError: Error | undefined;
    try {
      await client.query('begin');
      const result = await work(withSpans(prepare(client)));
      await client.query('commit');
      return result;
    } catch (error) {
      if (isStalePlan(error) || isConnectionLost(error) || isReadOnly(error)) connectionError = error;
      else
        await client.query('rollback').catch((failure: Error) => {
          connectionError = failure;
        });
      throw error;
    } finally {
      client.release(connectionError);
    }
  };
  // The connection is discarded with its stale plan. A pooler shares plans between connections, so the retry uses
  // unnamed statements, which are always replanned.
  const retryOnStalePlan = async <T>(run: (prepare: Prepare) => Promise<T>): Promise<T> => {
    try {
      return await run(keepNames);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return run(removeNames);
    }
  };
  return {
    pool,
    query: (query, values) =>
      retryOnStalePlan((prepare) => {
        rejectIfOverloaded();
        return withSpans(prepare(pool)).query(query, values);
      }),
    onCommit: (listener) => listeners.push(listener),
    notifyCommitted,
    async transaction(work) {
      const run = (prepare: Prepare) => withSpan({ name: 'transaction' }, () => inTransaction(work, prepare));
      const result = await retryOnStalePlan(run);
      crashPoint('after-commit-before-response');
      notifyCommitted();
      return result;
    },
    readWithin(timeoutMs, work, signal) {
      const read = (prepare: Prepare) =>
        inTransaction(async (tx) => {
          const { rows } = await tx.query<{ pid: number }>(
            "select set_config('statement_timeout', $1, true), pg_backend_pid() as pid",
            [String(timeoutMs)],
          );
          return signal ? cancelOnAbort(pool, { pid: rows[0]?.pid, work: () => work(tx), signal }) : work(tx);
        }, prepare);
      const readInTurn = () => longReads.run(() => retryOnStalePlan(read), signal);
      const { userId } = requestContext.getStore() ?? {};
      return userId === undefined ? readInTurn() : userReads.run(userId, readInTurn, signal);
    },
  };
}

type CancelableWork<T> = { pid: number | undefined; work: () => Promise<T>; signal: AbortSignal };

/** Settles after the cancellation, which could otherwise reach the next transaction of the connection. */
async function cancelOnAbort<T>(pool: pg.Pool, { pid, work, signal }: CancelableWork<T>): Promise<T> {
  let isRunning = true;
  let cancellation: Promise<unknown> | undefined;
  const cancel = async () => {
    const client = await pool.connect();
    // While this waited for a connection, the work may have ended.
    if (isRunning) cancellation = client.query('select pg_cancel_backend($1)', [pid]).catch(() => undefined);
    await cancellation;
    client.release();
  };
  const onAbort = () => void cancel().catch(() => undefined);
  signal.throwIfAborted();
  signal.addEventListener('abort', onAbort);
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    isRunning = false;
    signal.removeEventListener('abort', onAbort);
    await cancellation;
  }
}

function withSpans(db: Queryable): Queryable {
  if (!isTracing()) return db;
  return { query: (query, values) => withSpan(statementSpan(query), () => db.query(query, values)) };
}

type Prepare = (db: Queryable) => Queryable;

const keepNames: Prepare = (db) => db;

/** Removes statement names, so that no statement is prepared. */
const removeNames: Prepare = (db) => ({
  query(query, values) {
    if (typeof query === 'string') return db.query(query, values);
    const { name: _, ...statement } = query;
    return db.query(statement, values);
  },
});

function isStalePlan(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan');
}

/** Whether the server is no longer the primary. Its connections remain open; a new one may lead to its successor. */
function isReadOnly(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/** Whether the connection does not respond, so that a rollback would time out as well. */
function isConnectionLost(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof pg.DatabaseError) && isDatabaseUnavailable(error);
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;
}

export function isNotNullViolation(error: unknown, column: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23502' && error.column === column;
}

export function likePattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Describes a statement without its values and its text. */
function statementSpan(query: string | QueryConfig): SpanOptions {
  return { name: getSpanName(query), kind: 'client', attributes: { 'db.system.name': 'postgresql' } };
}

function getSpanName(query: string | QueryConfig): string {
  if (typeof query !== 'string' && query.name !== undefined) return query.name;
  const text = typeof query === 'string' ? query : query.text;
  return text.trimStart().split(/\s/, 1)[0] ?? 'statement';
}

/** Reads the clock of the database, for timestamps that one pod records and another one compares. */
export async function databaseTime(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>({ name: 'database-time', text: 'select clock_timestamp() as now' });
  const [row] = rows;
  if (!row) throw new Error('The database returned no time');
  return row.now;
}
