// Part of `npm run check`: no two folders of a source tree import each other.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findMutualImports } from './find-mutual-imports.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = /\.ts$/;
const TEST = /\.(?:test|fixture)\.ts$|\/test\//;
/** Trees that still have mutual imports. Remove a tree when it has none; never add one. */
const EXEMPT: ReadonlySet<string> = new Set([
  'proto-events/src',
  'services/auth/src',
  'services/chat/src',
]);

const listed = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '--deduplicate', 'packages', 'services', 'gateway', 'proto-events'],
  { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
const paths = listed
  .split('\n')
  .filter((path) => SOURCE.test(path) && !TEST.test(path) && existsSync(join(ROOT, path)));
const found = findMutualImports(paths.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })));
const errors = [
  ...found
    .filter(({ tree }) => !EXEMPT.has(tree))
    .map(({ folders, imports }) => `${folders.join(' and ')} import each other:\n  ${imports.join('\n  ')}`),
  ...[...EXEMPT]
    .filter((exempt) => !found.some(({ tree }) => tree === exempt))
    .map((tree) => `${tree} has no mutual imports: remove it from EXEMPT`),
];
for (const error of errors) console.error(error);
if (errors.length > 0) console.error('See docs/architecture.md, "Dependency rules".');
else console.log(`No two folders import each other, except in ${EXEMPT.size} exempt trees.`);
process.exitCode = errors.length > 0 ? 1 : 0;
