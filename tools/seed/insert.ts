import pg from 'pg';

const BATCH_SIZE = 5_000;

/** Inserts rows in batches. `columns` includes the types: `id text, at timestamptz`. */
export const insertAll = async (
  client: pg.Client,
  { table, columns }: { table: string; columns: string },
  rows: readonly object[],
): Promise<void> => {
  const names = columns.split(',').map((column) => column.trim().split(' ')[0]);
  const text = `insert into ${table} (${names.join(', ')})
    select ${names.join(', ')} from jsonb_to_recordset($1::jsonb) as given (${columns})`;
  for (let done = 0; done < rows.length; done += BATCH_SIZE) {
    await client.query(text, [JSON.stringify(rows.slice(done, done + BATCH_SIZE))]);
  }
};

/** Runs work in a transaction, and updates the planner statistics after the commit. */
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
