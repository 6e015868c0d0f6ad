import type pg from 'pg';
import copy from 'pg-copy-streams';
import { writeCompressed } from '../files.ts';
import type { Service } from '../installation/databases.ts';
import type { BackupDatabase, BackupTable } from '../manifest.ts';

const MIGRATION_TABLES = ['kit_migrations', 'migrations'];

type Table = { name: string; columns: string[] };

export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
    [MIGRATION_TABLES],
  );
  return rows;
}

export async function sortByReferences<T extends { name: string }>(client: pg.Client, tables: T[]): Promise<T[]> {
  const { rows } = await client.query<{ name: string; needs: string }>(
    `select o.relname as name, r.relname as needs from pg_constraint k
     join pg_class o on o.oid = k.conrelid join pg_class r on r.oid = k.confrelid
     where k.contype = 'f' and k.conrelid <> k.confrelid and o.relnamespace = 'public'::regnamespace`,
  );
  const ordered: T[] = [];
  let remaining = tables;
  while (remaining.length > 0) {
    const names = new Set(remaining.map(({ name }) => name));
    const hasNoReferences = (table: T) => !rows.some(({ name, needs }) => name === table.name && names.has(needs));
    const independentTables = remaining.filter(hasNoReferences);
    if (independentTables.length === 0) throw new Error(`Tables have circular references: ${[...names].join(', ')}`);
    ordered.push(...independentTables);
    remaining = remaining.filter((table) => !independentTables.includes(table));
  }
  return ordered;
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const quoteTableName = ({ name }: Pick<Table, 'name'>): string => `public.${quote(name)}`;
const quoteColumns = ({ name, columns }: Table): string =>
  `${quoteTableName({ name })} (${columns.map(quote).join(', ')})`;

export const copyOut = (client: pg.Client, table: Table) =>
  client.query(copy.to(`copy ${quoteColumns(table)} to stdout`));
export const copyIn = (client: pg.Client, table: Table) =>
  client.query(copy.from(`copy ${quoteColumns(table)} from stdin`));

export async function dumpDatabase(folder: string, service: Service, client: pg.Client): Promise<BackupDatabase> {
  const tables: BackupTable[] = [];
  for (const table of await readTables(client)) {
    const rows = copyOut(client, table);
    const file = await writeCompressed(folder, `postgres/${service}/${table.name}.copy.gz`, rows);
    tables.push({ ...table, rows: rows.rowCount, ...file });
  }
  // Sequences are not part of the snapshot; being ahead of the rows is harmless.
  const sequences = await client.query<{ name: string; last: string | null }>(
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`,
  );
  return {
    kitMigrations: await listMigrations(client, 'kit_migrations'),
    migrations: await listMigrations(client, 'migrations'),
    tables,
    sequences: sequences.rows,
  };
}

async function listMigrations(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`select name from ${table} order by id`);
  return rows.map(({ name }) => name);
}
