import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Address } from '@atrium/dev-server/backing/server';
import { type DatabaseName, databaseNames, databaseUrl } from '@atrium/dev-server/backing/servers/postgres-databases';
import { startBacking } from '@atrium/dev-server/backing/start-backing';
import { type Box, type System, startSystem } from '@atrium/test-kit/system/start-system';
import pg from 'pg';
import type { Views } from '../simulation/views.ts';

/** The folder of the worlds; `worlds.json` names their commits, the oldest first. */
export const WORLDS = fileURLToPath(new URL('./worlds/', import.meta.url));

export const worlds = JSON.parse(readFileSync(join(WORLDS, 'worlds.json'), 'utf8')) as string[];

/** What of a world lies outside of the launcher's own folders: the databases as SQL, and what people saw then. */
export const DUMPS = 'postgres';
export const VIEWS = 'views.json';

/** Puts a world into the home of a launcher. */
export const unpack = (commit: string) => (home: string) =>
  void execFileSync('tar', ['-xzf', join(WORLDS, `${commit}.tar.gz`), '-C', home]);

/** Fills the databases of an unpacked world, whatever PostgreSQL's version and port are today. */
export async function restoreDatabases(box: Box): Promise<void> {
  const backing = await startBacking(box, ['postgres']);
  const { postgres } = backing.addresses;
  if (!postgres) throw new Error('PostgreSQL was not started');
  for (const database of databaseNames) await restore(database, postgres, box);
  await backing.stop();
}

async function restore(database: DatabaseName, postgres: Address, box: Box): Promise<void> {
  const file = join(box.home, DUMPS, `${database}.sql`);
  // A service that is newer than the world begins empty.
  if (!existsSync(file)) return;
  const sql = await readFile(file, 'utf8');
  const client = new pg.Client({ connectionString: databaseUrl(postgres, database, box.secrets) });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * Starts today's code on what an earlier commit left behind. A world is that launcher's folder (the stores of JetStream and of the
 * objects, the secrets), with PostgreSQL's databases as SQL, so that neither ports nor PostgreSQL's version matter.
 */
export const startLoadEnvironment = (commit: string): Promise<System> =>
  startSystem({
    furnish: unpack(commit),
    prepare: restoreDatabases,
    // JetStream forgets the events of a world after thirty days.
    isTold: false,
  });

/** What people saw in a world when it was made, by the code of its commit. */
export function viewsOf(commit: string): Views {
  const from = ['-xzOf', join(WORLDS, `${commit}.tar.gz`), `./${VIEWS}`];
  return JSON.parse(execFileSync('tar', from, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
}
