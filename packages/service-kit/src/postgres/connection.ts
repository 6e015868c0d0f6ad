import pg from 'pg';

/**
 * One connection, for work that takes as long as it takes: while it waits for another's lock nothing is under way by which a silent loss
 * would show, so its line is kept alive. Rejects where it cannot be had within 5 seconds.
 */
export async function connectDatabase(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // Without a listener a connection that breaks would end the process; the statement under way tells of it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
