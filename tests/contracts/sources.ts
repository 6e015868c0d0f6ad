import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const SERVICE_FOLDERS = readdirSync(join(ROOT, 'services'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(ROOT, 'services', entry.name, 'package.json')))
  .map(({ name }) => name);

export const exists = (path: string) => existsSync(join(ROOT, path));
export const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
