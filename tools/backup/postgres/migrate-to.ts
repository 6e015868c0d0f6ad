import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { KIT_MIGRATIONS, migrate } from '@atrium/service-kit/postgres/migrate';
import { MIGRATIONS, type Service } from '../installation/databases.ts';
import type { BackupDatabase } from '../manifest.ts';

type Names = Pick<BackupDatabase, 'kitMigrations' | 'migrations'>;

/** Migrations of a backup that this version does not have: a later version made the backup. */
export async function findUnknownMigrations(service: Service, wanted: Names): Promise<string[]> {
  const [kit, own] = await Promise.all([namesIn(KIT_MIGRATIONS), namesIn(MIGRATIONS[service])]);
  return [
    ...wanted.kitMigrations.filter((name) => !kit.includes(name)),
    ...wanted.migrations.filter((name) => !own.includes(name)),
  ];
}

const namesIn = async (folder: URL): Promise<string[]> =>
  (await readdir(folder)).map((file) => file.replace(/\.sql$/, ''));

/** Migrates an empty database to the schema of a backup, and no further: its rows fit only that schema. */
export async function migrateTo(url: string, service: Service, { kitMigrations, migrations }: Names): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-migrations-'));
  const only = async (name: string, from: URL, files: readonly string[]): Promise<URL> => {
    const to = join(folder, name);
    await mkdir(to);
    for (const file of files) await copyFile(join(fileURLToPath(from), `${file}.sql`), join(to, `${file}.sql`));
    return pathToFileURL(to);
  };
  try {
    const kit = await only('kit', KIT_MIGRATIONS, kitMigrations);
    await migrate(url, await only('own', MIGRATIONS[service], migrations), { kitMigrations: kit });
  } finally {
    await rm(folder, { recursive: true });
  }
}
