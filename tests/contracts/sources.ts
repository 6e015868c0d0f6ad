import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The folders of the services there are. */
export const SERVICE_FOLDERS = readdirSync(join(ROOT, 'services'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(ROOT, 'services', entry.name, 'package.json')))
  .map(({ name }) => name);

/** The text of every TypeScript file in a folder and below. */
export function sourcesIn(folder: string): string[] {
  const path = join(ROOT, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

/** The same, all in one. */
export const sourceOf = (folder: string) => sourcesIn(folder).join('\n');

export const exists = (path: string) => existsSync(join(ROOT, path));
export const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
