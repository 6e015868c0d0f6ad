import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Address } from '@atrium/local/backing/server';
import { databaseNames, databaseUrl } from '@atrium/local/backing/servers/postgres-databases';
import { startBacking } from '@atrium/local/backing/start-backing';
import { type Box, privateBox, type System, startPrivateSystem } from '@atrium/local/system/start-system';
import pg from 'pg';

/**
 * Starts today's code on what an earlier commit left behind. A world is that launcher's folder (the stores of JetStream and of the
 * objects, the secrets), with PostgreSQL's databases as SQL, so that neither ports nor PostgreSQL's version matter.
 */
export async function startWorld(commit: string): Promise<System> {
  const archive = fileURLToPath(new URL(`./worlds/${commit}.tar.gz`, import.meta.url));
  const box = privateBox({ furnish: (home) => void execFileSync('tar', ['-xzf', archive, '-C', home]) });
  const backing = await startBacking(box, ['postgres']);
  const { postgres } = backing.addresses;
  if (!postgres) throw new Error('PostgreSQL was not started');
  for (const database of databaseNames) await restore(database, postgres, box);
  await backing.stop();
  return startPrivateSystem(box);
}

async function restore(database: (typeof databaseNames)[number], postgres: Address, box: Box): Promise<void> {
  const sql = await readFile(join(box.home, 'postgres', `${database}.sql`), 'utf8');
  const client = new pg.Client({ connectionString: databaseUrl(postgres, database, box.secrets) });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
