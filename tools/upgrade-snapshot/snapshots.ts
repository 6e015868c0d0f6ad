import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Address } from '@atrium/dev-server/backing/server';
import { type DatabaseName, databaseNames, databaseUrl } from '@atrium/dev-server/backing/servers/postgres-databases';
import { startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import { type BaseLauncherContext, type System, startSystem } from '@atrium/test-kit/system/start-system';
import pg from 'pg';
import type { Views } from './views.ts';

/** The folder of snapshots; `snapshots.json` lists their commits, oldest first. */
export const SNAPSHOTS_DIR = fileURLToPath(new URL('../../tests/upgrade/snapshots/', import.meta.url));

export const snapshots = JSON.parse(readFileSync(join(SNAPSHOTS_DIR, 'snapshots.json'), 'utf8')) as string[];

/**
 * The parts of a snapshot that do not come from the launcher's folder: database dumps, and the lists that users saw.
 */
export const DUMPS = 'postgres';
export const VIEWS = 'views.json';

/** Extracts a snapshot into a launcher's home folder. */
export const unpack = (commit: string) => (home: string) =>
  void execFileSync('tar', ['-xzf', join(SNAPSHOTS_DIR, `${commit}.tar.gz`), '-C', home]);

/** Restores the database dumps, which do not depend on PostgreSQL's version or port. */
export async function restoreDatabases(context: BaseLauncherContext): Promise<void> {
  const backing = await startBacking(context, ['postgres']);
  const { postgres } = backing.addresses;
  if (!postgres) throw new Error('PostgreSQL is not running');
  for (const database of databaseNames) await restore(database, postgres, context);
  await backing.stop();
}

async function restore(database: DatabaseName, postgres: Address, context: BaseLauncherContext): Promise<void> {
  const file = join(context.home, DUMPS, `${database}.sql`);
  // Services newer than the snapshot start with an empty database.
  if (!existsSync(file)) return;
  const sql = await readFile(file, 'utf8');
  const client = new pg.Client({ connectionString: databaseUrl(postgres, database, context.secrets) });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * Starts Atrium on the data of a snapshot. A snapshot is the launcher's folder (JetStream, objects, and secrets) with
 * SQL dumps of the databases, so neither ports nor PostgreSQL's version matter.
 */
export const startFromSnapshot = (commit: string): Promise<System> =>
  startSystem({
    prepareDataDir: unpack(commit),
    prepare: restoreDatabases,
    // JetStream deletes the events of a snapshot after thirty days.
    checkPublished: false,
  });

/** Reads the lists that users saw in a snapshot, as its commit showed them. */
export function readViews(commit: string): Views {
  const from = ['-xzOf', join(SNAPSHOTS_DIR, `${commit}.tar.gz`), `./${VIEWS}`];
  return JSON.parse(execFileSync('tar', from, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
}
