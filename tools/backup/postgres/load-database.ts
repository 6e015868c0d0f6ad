import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { KIT_MIGRATIONS, migrate } from '@atrium/service-kit/postgres/migrate';
import type pg from 'pg';
import { measure, readContent } from '../files.ts';
import { MIGRATIONS, type Service } from '../installation/databases.ts';
import type { BackupDatabase, BackupTable } from '../manifest.ts';
import { LONG_TRANSACTION } from './connections.ts';
import { copyIn, copyOut, quoteTableName, readTables, sortByReferences } from './tables.ts';

export async function findTables(client: pg.Client): Promise<string[]> {
  return (await readTables(client)).map(({ name }) => name);
}

type Load = { url: string; service: Service; client: pg.Client; entry: BackupDatabase; folder: string };

/** Restores in one transaction, and verifies the checksum of every table. */
export async function loadDatabase({ url, service, client, entry, folder }: Load): Promise<void> {
  await migrateTo(url, service, entry);
  await client.query(`begin; ${LONG_TRANSACTION}`);
  try {
    // Migrations insert rows that the backup also contains, in their later state.
    await client.query(`truncate ${entry.tables.map(quoteTableName).join(', ')}`);
    for (const table of await sortByReferences(client, entry.tables)) await loadTable(client, table, folder);
    for (const { name, last } of entry.sequences)
      if (last !== null) await client.query(`select setval(format('public.%I', $1::text)::regclass, $2)`, [name, last]);
    await client.query('analyze');
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw new Error(`Failed to restore the database of ${service}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

async function loadTable(client: pg.Client, table: BackupTable, folder: string): Promise<void> {
  const { name, rows, bytes, sha256 } = table;
  const triggers = await client.query<{ name: string }>(
    `select tgname as name from pg_trigger where tgrelid = $1::regclass and not tgisinternal and tgenabled = 'O'`,
    [quoteTableName(table)],
  );
  const setTriggers = async (action: 'disable' | 'enable') => {
    for (const trigger of triggers.rows)
      await client.query(`alter table ${quoteTableName(table)} ${action} trigger "${trigger.name}"`);
  };
  // Triggers maintain counts, which are in the backup.
  await setTriggers('disable');
  const copyStream = copyIn(client, table);
  await pipeline(readContent(folder, table), copyStream);
  const measurement = await measure(copyOut(client, table));
  if (copyStream.rowCount !== rows || measurement.bytes !== bytes || measurement.sha256 !== sha256)
    throw new Error(`The ${copyStream.rowCount} restored rows of ${name} do not match the ${rows} rows of the backup`);
  await setTriggers('enable');
}

type MigrationNames = Pick<BackupDatabase, 'kitMigrations' | 'migrations'>;

/** Returns migrations of the backup that this version does not have, because a later version made the backup. */
export async function findUnknownMigrations(service: Service, backup: MigrationNames): Promise<string[]> {
  const [kitNames, serviceNames] = await Promise.all([
    listMigrations(KIT_MIGRATIONS),
    listMigrations(MIGRATIONS[service]),
  ]);
  return [
    ...backup.kitMigrations.filter((name) => !kitNames.includes(name)),
    ...backup.migrations.filter((name) => !serviceNames.includes(name)),
  ];
}

const listMigrations = async (folder: URL): Promise<string[]> =>
  (await readdir(folder)).map((file) => file.replace(/\.sql$/, ''));

/** Creates the schema of the backup, not a newer one, because only that schema fits its rows. */
async function migrateTo(url: string, service: Service, { kitMigrations, migrations }: MigrationNames): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-migrations-'));
  const copyMigrations = async (name: string, from: URL, files: readonly string[]): Promise<URL> => {
    const to = join(folder, name);
    await mkdir(to);
    for (const file of files) await copyFile(join(fileURLToPath(from), `${file}.sql`), join(to, `${file}.sql`));
    return pathToFileURL(to);
  };
  try {
    const kit = await copyMigrations('kit', KIT_MIGRATIONS, kitMigrations);
    await migrate(url, await copyMigrations('own', MIGRATIONS[service], migrations), { kitMigrations: kit });
  } finally {
    await rm(folder, { recursive: true });
  }
}
