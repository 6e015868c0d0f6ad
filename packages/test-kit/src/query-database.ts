import pg from 'pg';

export type Rows = Record<string, unknown>[];

/** Runs one statement on a dedicated connection and returns its rows. */
export async function queryDatabase(url: string, sql: string, values: unknown[] = []): Promise<Rows> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
