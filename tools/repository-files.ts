import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

export const listRepositoryFiles = (...folders: readonly string[]): string[] =>
  execFileSync('git', ['ls-files', '-zco', '--exclude-standard', '--deduplicate', '--', ...folders], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)));

export const readRepositoryFile = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
