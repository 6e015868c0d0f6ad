import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { MigrationBuilder } from 'node-pg-migrate';
import pg from 'pg';
import type { MigrateConfig } from '../config/env.ts';
import { createLogger, type Logger } from '../observability/logger.ts';
import { armCrashPoints, crashPoint } from '../process/crash-point.ts';
import { retryUntilDone } from '../process/retry.ts';

export const KIT_MIGRATIONS = new URL('../../migrations', import.meta.url);
const MIGRATION_LOCK = 0x61747269;
const POLL_MS = 1_000;
const LOCK_POLL_MS = 200;

type MigrateOptions = {
  /** A different folder, to run only some of the kit's migrations. */
  kitMigrations?: URL;
  signal?: AbortSignal;
};

/**
 * Migrates the schema: the kit's tables, then the service's. Each file runs in its own transaction, unless it begins
 * with the line `-- no transaction`. Then its statements run individually, as `create index concurrently` requires, and
 * a statement preceded by the line `-- with <extension>` is skipped if the database does not have that extension.
 *
 * Uses a dedicated connection without a statement timeout, since indexing can take long. Waits indefinitely for other
 * migrations, but only three seconds for a table lock, since other statements queue behind it; then it throws, and
 * callers retry. A concurrent index build blocks no one, and may wait for readers without a limit. An aborted `signal`
 * ends the wait for other migrations; a running migration is completed.
 */
export async function migrate(
  url: string,
  migrations: URL,
  { kitMigrations = KIT_MIGRATIONS, signal }: MigrateOptions = {},
): Promise<void> {
  await withConnection(url, async (client) => {
    // The server must also detect a lost client, since the lock lasts as long as its connection.
    await client.query(
      'set statement_timeout = 0; set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3',
    );
    await acquireMigrationLock(client, signal);
    await client.query(SHORT_LOCK_TIMEOUT);
    await migrateFolder(client, kitMigrations, 'kit_migrations');
    await migrateFolder(client, migrations, 'migrations');
  });
}

const SHORT_LOCK_TIMEOUT = `set lock_timeout = '3s'`;
const NO_LOCK_TIMEOUT = 'set lock_timeout = 0';

/** Polls, because a statement that waits for the lock would block a concurrent index build. */
async function acquireMigrationLock(client: pg.Client, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ acquired: boolean }>('select pg_try_advisory_lock($1) as acquired', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.acquired) return;
    await delay(LOCK_POLL_MS, undefined, { signal });
  }
}

/** Migrates a service. A job runs this before a rollout. */
export async function migrateService(service: { name: string; migrations: URL }, config: MigrateConfig): Promise<void> {
  const log = createLogger(service.name, config.LOG_LEVEL);
  armCrashPoints(config.CRASH_POINTS_DIR, log);
  const run = async () => {
    const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
    await migrate(url, service.migrations);
  };
  await retryUntilDone('migrate', run, log, new AbortController().signal);
  log.info('Schema is up to date');
}

/** Uses no session settings, since `url` may lead to a pooler. */
export async function waitUntilMigrated(url: string, migrations: URL, log: Logger, signal: AbortSignal): Promise<void> {
  const checkSchema = () =>
    withConnection(url, async (client) => {
      const isMigrated =
        (await isUpToDate(client, fileURLToPath(KIT_MIGRATIONS), 'kit_migrations')) &&
        (await isUpToDate(client, fileURLToPath(migrations), 'migrations'));
      if (!isMigrated) throw new Error('The schema is not up to date. Run the command `migrate`.');
    });
  await retryUntilDone('waiting for the schema', checkSchema, log, signal, { maxDelayMs: POLL_MS });
}

async function withConnection(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await connectDatabase(url);
  try {
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function migrateFolder(client: pg.Client, folder: URL, table: string): Promise<void> {
  const dir = fileURLToPath(folder);
  if (await isUpToDate(client, dir, table)) return;
  // Most starts have nothing to migrate and need not load the library.
  const { runner } = await import('node-pg-migrate');
  await runner({
    dbClient: client,
    dir,
    migrationsTable: table,
    direction: 'up',
    noLock: true,
    singleTransaction: false,
    migrationLoaderStrategies: [{ extensions: ['.sql'], loader: (paths) => Promise.all(paths.map(loadMigration)) }],
    log: () => undefined,
  });
}

async function loadMigration(path: string) {
  const text = await readFile(path, 'utf8');
  const hasNoTransaction = text.startsWith('-- no transaction\n');
  return {
    id: path,
    filePaths: [path],
    actions: {
      up: async (pgm: MigrationBuilder) => {
        crashPoint('between-migrations');
        if (!hasNoTransaction) return pgm.sql(text);
        pgm.noTransaction();
        for (const statement of text.split(/;\n/)) {
          if (!statement.trim() || !(await hasRequiredExtension(pgm, statement))) continue;
          const isConcurrent = /\bconcurrently\b/.test(statement);
          if (isConcurrent) await pgm.db.query(NO_LOCK_TIMEOUT);
          await pgm.db.query(statement);
          if (isConcurrent) await pgm.db.query(SHORT_LOCK_TIMEOUT);
          crashPoint('in-a-migration');
        }
      },
      down: false as const,
    },
  };
}

async function hasRequiredExtension({ db }: MigrationBuilder, statement: string): Promise<boolean> {
  const extension = /^-- with (\w+)$/m.exec(statement)?.[1];
  if (extension === undefined) return true;
  return (await db.select('select from pg_extension where extname = $1', [extension])).length > 0;
}

async function isUpToDate(client: pg.Client, dir: string, table: string): Promise<boolean> {
  const existing = await client.query<{ table: string | null }>('select to_regclass($1)::text as table', [table]);
  if (existing.rows[0]?.table == null) return false;
  const { rows } = await client.query<{ name: string }>(`select name from ${table}`);
  const appliedNames = new Set(rows.map(({ name }) => name));
  return (await readdir(dir)).every((file) => appliedNames.has(file.replace(/\.sql$/, '')));
}

/**
 * Opens one connection for work without a time limit. It uses TCP keepalive, since otherwise nothing would detect a
 * silent loss while it waits for a lock. Rejects if it cannot connect within 5 seconds.
 */
export async function connectDatabase(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // Without a listener, a broken connection would end the process; the statement in flight reports it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
