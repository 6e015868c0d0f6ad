// Part of `npm run check`: no two folders of a source tree import each other.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findMutualImports } from './find-mutual-imports.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = /\.tsx?$/;
const TEST = /\.(?:test|fixture)\.tsx?$|\/test\//;

const listed = execFileSync(
  'git',
  [
    'ls-files',
    '-co',
    '--exclude-standard',
    '--deduplicate',
    'packages',
    'services',
    'gateway',
    'proto-events',
    'web',
    'tests',
    'tools',
  ],
  { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
const paths = listed
  .split('\n')
  .filter((path) => SOURCE.test(path) && !TEST.test(path) && existsSync(join(ROOT, path)));
const found = findMutualImports(paths.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })));
for (const { folders, imports } of found)
  console.error(`${folders.join(' and ')} import each other:\n  ${imports.join('\n  ')}`);
if (found.length > 0) console.error('See docs/architecture.md, "Dependency rules".');
else console.log('No two folders import each other.');
process.exitCode = found.length > 0 ? 1 : 0;
