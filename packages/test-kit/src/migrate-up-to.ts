import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { migrate } from '@atrium/service-kit/postgres/migrate';

/** Brings a database to where an earlier release left it: up to and with the file that begins so (`0005`). */
export async function migrateUpTo(url: string, migrations: URL, last: string): Promise<void> {
  const from = fileURLToPath(migrations);
  const folder = await mkdtemp(join(tmpdir(), 'atrium-migrations-'));
  try {
    const files = (await readdir(from)).filter((file) => file.slice(0, last.length) <= last);
    await Promise.all(files.map((file) => copyFile(join(from, file), join(folder, file))));
    await migrate(url, pathToFileURL(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}
