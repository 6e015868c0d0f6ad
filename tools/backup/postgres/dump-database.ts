import type pg from 'pg';
import { keep } from '../files.ts';
import type { Service } from '../installation/databases.ts';
import type { KeptDatabase, KeptTable } from '../manifest.ts';
import { copyOut, readTables } from './tables.ts';

/** Keeps every row of a service's database, as the connection's snapshot sees it. */
export async function dumpDatabase(folder: string, service: Service, client: pg.Client): Promise<KeptDatabase> {
  const tables: KeptTable[] = [];
  for (const table of await readTables(client)) {
    const rows = copyOut(client, table);
    const kept = await keep(folder, `postgres/${service}/${table.name}.copy.gz`, rows);
    tables.push({ ...table, rows: rows.rowCount, ...kept });
  }
  // A sequence is not part of a snapshot: it is further than the rows, which does no harm.
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
