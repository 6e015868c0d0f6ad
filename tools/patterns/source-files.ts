import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FoundPattern, findPatterns } from './find-patterns.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['packages', 'services', 'gateway', 'proto-events', 'web', 'tools', 'deploy'];
const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Tests and code generators, which handle only trusted input. */
const READS_OUR_OWN = [/\.test\.tsx?$/, /\/test\//, /^tools\/(?:new-service|patterns|vocabulary)\//];

export type SourcePattern = FoundPattern & { file: string };

/** Every regular expression that may be applied to untrusted input. */
export function readSourcePatterns(): SourcePattern[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate', ...FOLDERS], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = listed
    .split('\n')
    .filter((file) => SCRIPT.test(file) && !READS_OUR_OWN.some((form) => form.test(file)));
  return files.flatMap((file) => {
    const text = textOf(file);
    return text === undefined ? [] : findPatterns(text, file).map((pattern) => ({ ...pattern, file }));
  });
}

/** Undefined if the file is deleted but still in the git index. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return undefined;
  }
}
