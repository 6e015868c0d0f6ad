import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Logger } from './logger.ts';

// Counts and sequence numbers stay far below 2^53, so that a bigint may be a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Whatever runs parameterised SQL: the pool, or one transaction. */
export type Queryable = {
  // biome-ignore lint/suspicious/noExplicitAny: the row type is the caller's statement, as in pg's own signature
  query<Row extends pg.QueryResultRow = any>(
    query: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>>;
};

/** A service's database. */
export type Db = Queryable & {
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Calls the commit listeners, for single statements that wrote to the outbox outside `transaction`. */
  committed(): void;
  /** Registers what runs after every commit of this process (the outbox relay). */
  onCommit(listener: () => void): void;
  pool: pg.Pool;
};

/** Connects lazily; a connection that cannot be had within 5 seconds, or a statement of over 15, fails. */
export function createDb(url: string, max: number, log: Logger): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 20_000,
  });
  // The pool tells of idle connections only; without a listener one that breaks while it is in use would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'));
  });
  pool.on('error', () => undefined);
  const listeners: (() => void)[] = [];
  const committed = () => {
    for (const listener of listeners) listener();
  };
  return {
    pool,
    query: (query, values) => pool.query(query as string, values),
    onCommit: (listener) => listeners.push(listener),
    committed,
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('begin');
        const result = await work(client);
        await client.query('commit');
        committed();
        return result;
      } catch (error) {
        await client.query('rollback').catch((failure: Error) => {
          broken = failure;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
  };
}

const KIT_MIGRATIONS = new URL('../migrations', import.meta.url);
const MIGRATION_LOCK = 0x61747269;

/** Brings the schema up to date: the kit's tables, then the service's. Pods that start together wait for one another. */
export async function migrate(db: Db, migrations: URL): Promise<void> {
  const client = await db.pool.connect();
  try {
    // An index over much data takes longer than any request may; cancelled, it would begin again for ever.
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrateFolder(client, KIT_MIGRATIONS, 'kit_migrations');
    await migrateFolder(client, migrations, 'migrations');
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await client.query('reset statement_timeout').catch(() => undefined);
    client.release();
  }
}

async function migrateFolder(client: pg.PoolClient, folder: URL, table: string): Promise<void> {
  const dir = fileURLToPath(folder);
  if (await isUpToDate(client, dir, table)) return;
  // Most starts have nothing to migrate: they need not carry the library in memory.
  const { runner } = await import('node-pg-migrate');
  await runner({ dbClient: client, dir, migrationsTable: table, direction: 'up', noLock: true, log: () => undefined });
}

async function isUpToDate(client: pg.PoolClient, dir: string, table: string): Promise<boolean> {
  const there = await client.query<{ table: string | null }>('select to_regclass($1)::text as table', [table]);
  if (there.rows[0]?.table == null) return false;
  const { rows } = await client.query<{ name: string }>(`select name from ${table}`);
  const done = new Set(rows.map(({ name }) => name));
  return (await readdir(dir)).every((file) => done.has(file.replace(/\.sql$/, '')));
}

/** True for a violated unique constraint of that name. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;
}

/** The pattern of `like` for texts that hold this part as it stands: a percent sign or an underscore in it is no wildcard. */
export function likePattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}
