import type pg from 'pg';
import { writeCompressed } from '../files.ts';
import type { Service } from '../installation/databases.ts';
import type { BackupDatabase, BackupTable } from '../manifest.ts';
import { copyOut, readTables } from './tables.ts';

/** Writes every row of a service's database as seen by the snapshot of the connection. */
export async function dumpDatabase(folder: string, service: Service, client: pg.Client): Promise<BackupDatabase> {
  const tables: BackupTable[] = [];
  for (const table of await readTables(client)) {
    const rows = copyOut(client, table);
    const kept = await writeCompressed(folder, `postgres/${service}/${table.name}.copy.gz`, rows);
    tables.push({ ...table, rows: rows.rowCount, ...kept });
  }
  // Sequences are not part of the snapshot; being ahead of the rows is harmless.
  const sequences = await client.query<{ name: string; last: string | null }>(
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`,
  );
  return {
    kitMigrations: await namesIn(client, 'kit_migrations'),
    migrations: await namesIn(client, 'migrations'),
    tables,
    sequences: sequences.rows,
  };
}

async function namesIn(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`select name from ${table} order by id`);
  return rows.map(({ name }) => name);
}
