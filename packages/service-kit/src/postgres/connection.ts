import pg from 'pg';

/**
 * One connection for work without a time limit: while it waits for a lock nothing would detect a silent loss, so TCP
 * keepalive is on. Rejects if it cannot connect within 5 seconds.
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
