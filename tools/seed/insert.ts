import pg from 'pg';

const AT_ONCE = 5_000;

/** Inserts many rows of one table, some thousands a statement. Columns are given with their types: `id text, at timestamptz`. */
export const insertAll = async (
  client: pg.Client,
  { table, columns }: { table: string; columns: string },
  rows: readonly object[],
): Promise<void> => {
  const names = columns.split(',').map((column) => column.trim().split(' ')[0]);
  const text = `insert into ${table} (${names.join(', ')})
    select ${names.join(', ')} from jsonb_to_recordset($1::jsonb) as given (${columns})`;
  for (let done = 0; done < rows.length; done += AT_ONCE) {
    await client.query(text, [JSON.stringify(rows.slice(done, done + AT_ONCE))]);
  }
};

/** Does some work in one transaction of a database, then brings PostgreSQL's own picture of the tables up to date. */
export const inDatabase = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    await client.query('vacuum analyze');
    return result;
  } finally {
    await client.end();
  }
};
