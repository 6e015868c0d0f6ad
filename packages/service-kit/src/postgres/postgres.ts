import pg, { type QueryConfig } from 'pg';
import { NOT_AVAILABLE, unavailable } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';
import { isTracing, type SpanOptions, withSpan } from '../observability/tracing.ts';
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
  /** Committed when `work` resolves, rolled back when it rejects. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  committed(): void;
  onCommit(listener: () => void): void;
  pool: pg.Pool;
};

/** Maximum waiters per connection of the pool; further ones are rejected immediately. */
const WAITING_FOR_EACH = 50;

/**
 * Connects lazily. Fails with `unavailable` if a connection takes longer than 5 seconds or too many wait, and if a
 * statement takes longer than 15 seconds; without any response within 20, the connection is closed, since its server
 * may be lost.
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
    // SSDs have fast random access, which PostgreSQL's default underestimates.
    options: '-c random_page_cost=1.1',
  });
  // The pool reports only idle connections; without a listener, one that breaks while in use would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'Database connection lost'));
  });
  pool.on('error', () => undefined);
  const listeners: (() => void)[] = [];
  const committed = () => {
    for (const listener of listeners) listener();
  };
  const shed = () => {
    if (pool.waitingCount >= max * WAITING_FOR_EACH) throw unavailable(NOT_AVAILABLE);
  };
  const inTransaction = async <T>(work: (tx: Queryable) => Promise<T>, prepare: Prepare): Promise<T> => {
    shed();
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await work(traced(prepare(client)));
      await client.query('commit');
      return result;
    } catch (error) {
      if (isStalePlan(error) || isConnectionLost(error) || isReadOnly(error)) broken = error;
      else
        await client.query('rollback').catch((failure: Error) => {
          broken = failure;
        });
      throw error;
    } finally {
      client.release(broken);
    }
  };
  // The connection is discarded with its plan; behind a pooler, which keeps plans for all, only an unnamed statement is
  // replanned.
  const retryOnStalePlan = async <T>(run: (prepare: Prepare) => Promise<T>): Promise<T> => {
    try {
      return await run(asIs);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return run(unnamed);
    }
  };
  return {
    pool,
    query: (query, values) =>
      retryOnStalePlan((prepare) => {
        shed();
        return traced(prepare(pool)).query(query, values);
      }),
    onCommit: (listener) => listeners.push(listener),
    committed,
    async transaction(work) {
      const run = (prepare: Prepare) => withSpan({ name: 'transaction' }, () => inTransaction(work, prepare));
      const result = await retryOnStalePlan(run);
      crashPoint('after-commit-before-response');
      committed();
      return result;
    },
  };
}

function traced(db: Queryable): Queryable {
  if (!isTracing()) return db;
  return { query: (query, values) => withSpan(statementSpan(query), () => db.query(query, values)) };
}

type Prepare = (db: Queryable) => Queryable;

const asIs: Prepare = (db) => db;

/** Unnamed, so that none is prepared. */
const unnamed: Prepare = (db) => ({
  query(query, values) {
    if (typeof query === 'string') return db.query(query, values);
    const { name: _, ...statement } = query;
    return db.query(statement, values);
  },
});

function isStalePlan(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan');
}

/** The server is no longer the primary, and its connections remain open. A new one may lead to its successor. */
function isReadOnly(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/** The connection does not respond: a rollback would time out as well. */
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

/** The span of a statement: without its values, and without its text, which a name represents. */
function statementSpan(query: string | QueryConfig): SpanOptions {
  return { name: nameOf(query), kind: 'client', attributes: { 'db.system.name': 'postgresql' } };
}

function nameOf(query: string | QueryConfig): string {
  if (typeof query !== 'string' && query.name !== undefined) return query.name;
  const text = typeof query === 'string' ? query : query.text;
  return text.trimStart().split(/\s/, 1)[0] ?? 'statement';
}

/** Shared by all pods of a service: for timestamps that one pod records and another compares. */
export async function databaseTime(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>({ name: 'database-time', text: 'select clock_timestamp() as now' });
  const [row] = rows;
  if (!row) throw new Error('The database returned no time');
  return row.now;
}
