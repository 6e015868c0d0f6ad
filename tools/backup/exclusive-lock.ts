import { connectDatabase } from '@atrium/service-kit/postgres/connection';
import type pg from 'pg';
import type { Installation } from './installation/installation.ts';
import { endConnection, LASTING } from './postgres/connections.ts';

/** The advisory lock, in the database of documents, of the one backup or restore that is under way. */
const BACKUP_LOCK = 0x6261636b;

/**
 * A transaction without a snapshot, which keeps nothing from being cleaned up and no index from being built; its locks are held until the
 * turn ends. What is asked of it has no parameters: PostgreSQL keeps the snapshot of a statement with some until the next one.
 */
export type Turn = Pick<pg.Client, 'query'>;

/** Does something as the only backup or restore of that place. Throws a sentence where another one is under way. */
export async function inTurn<T>(
  { databases }: Pick<Installation, 'databases'>,
  work: (turn: Turn) => Promise<T>,
): Promise<T> {
  const client = await connectDatabase(databases.documents);
  try {
    await client.query(`begin; ${LASTING}`);
    const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_xact_lock(${BACKUP_LOCK}) as mine`);
    if (!rows[0]?.mine) throw new Error('Another backup or restore is under way.');
    return await work(client);
  } finally {
    await endConnection(client);
  }
}

/** Throws a sentence where the connection was lost meanwhile, and with it all that was held. */
export async function requireTurn(turn: Turn): Promise<void> {
  await turn.query('select').catch((cause) => {
    throw new Error('The connection that keeps others away was lost meanwhile: what was made is not to be trusted.', {
      cause,
    });
  });
}
