import pg from 'pg';

export type Rows = Record<string, unknown>[];

/** Runs one statement on a connection of its own and gives its rows. */
export async function queryDatabase(url: string, sql: string, values: unknown[] = []): Promise<Rows> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
