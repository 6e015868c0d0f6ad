import { connectDatabase } from '@atrium/service-kit/postgres/migrate';
import type pg from 'pg';
import type { Installation } from './installation/installation.ts';
import { endConnection, LONG_TRANSACTION } from './postgres/connections.ts';

/** Advisory lock in the documents database, held by the backup or restore in progress. */
const BACKUP_LOCK = 0x6261636b;

/**
 * A transaction that holds locks until it ends. It has no snapshot, so it blocks neither vacuum nor index builds. Its
 * queries must have no parameters: PostgreSQL keeps the snapshot of a parameterized statement until the next one.
 */
export type ExclusiveLock = Pick<pg.Client, 'query'>;

export async function withExclusiveLock<T>(
  { databases }: Pick<Installation, 'databases'>,
  work: (lock: ExclusiveLock) => Promise<T>,
): Promise<T> {
  const client = await connectDatabase(databases.documents);
  try {
    await client.query(`begin; ${LONG_TRANSACTION}`);
    const statement = `select pg_try_advisory_xact_lock(${BACKUP_LOCK}) as acquired`;
    const { rows } = await client.query<{ acquired: boolean }>(statement);
    if (!rows[0]?.acquired) throw new Error('Another backup or restore is in progress.');
    return await work(client);
  } finally {
    await endConnection(client);
  }
}

/** Throws if the connection, and with it every lock, has been lost. */
export async function assertLockHeld(lock: ExclusiveLock): Promise<void> {
  await lock.query('select').catch((cause) => {
    throw new Error('The connection that holds the lock was lost. Discard this backup and try again.', {
      cause,
    });
  });
}
