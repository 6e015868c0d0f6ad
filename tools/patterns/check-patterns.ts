// Part of `npm run check`: rejects regular expressions that can take more than linear time.

import { listRepositoryFiles, readRepositoryFile } from '../repository-files.ts';
import { findSlowness } from './analyze-pattern.ts';
import { type FoundPattern, findPatterns } from './find-patterns.ts';

const FOLDERS = ['packages', 'services', 'gateway', 'proto-events', 'web', 'tools', 'deploy'];
const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Tests and code generators. Their patterns are not checked. */
const TRUSTED_INPUT_ONLY = [/\.test\.tsx?$/, /\/test\//, /^tools\/(?:new-service|patterns|spec-coverage|vocabulary)\//];

type SourcePattern = FoundPattern & { file: string };

export function readSourcePatterns(): SourcePattern[] {
  const files = listRepositoryFiles(...FOLDERS).filter(
    (file) => SCRIPT.test(file) && !TRUSTED_INPUT_ONLY.some((pattern) => pattern.test(file)),
  );
  return files.flatMap((file) => findPatterns(readRepositoryFile(file), file).map((pattern) => ({ ...pattern, file })));
}

const verdicts = new Map<string, string | undefined>();

function checkPattern(pattern: SourcePattern): string | undefined {
  if ('unknown' in pattern) return `is ${pattern.unknown}: build it from constants and RegExp.escape`;
  const key = `/${pattern.source}/${pattern.flags}`;
  if (!verdicts.has(key)) verdicts.set(key, findSlowness(pattern.source, pattern.flags));
  const slowness = verdicts.get(key);
  return slowness && `${key}: ${slowness}`;
}

const patterns = readSourcePatterns();
const violations = patterns.flatMap((pattern) => {
  const violation = checkPattern(pattern);
  return violation ? [`${pattern.file}:${pattern.line} ${violation}`] : [];
});
for (const violation of violations) console.error(violation);
if (violations.length > 0) console.error('See CONTRIBUTING.md, "How to write a regular expression".');
else console.log(`${patterns.length} regular expressions run in linear time.`);
process.exitCode = violations.length > 0 ? 1 : 0;
