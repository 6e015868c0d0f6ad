import { listRepositoryFiles, readRepositoryFile } from '../repository-files.ts';
import { type FoundPattern, findPatterns } from './find-patterns.ts';

const FOLDERS = ['packages', 'services', 'gateway', 'proto-events', 'web', 'tools', 'deploy'];
const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Tests and code generators, which handle only trusted input. */
const READS_OUR_OWN = [/\.test\.tsx?$/, /\/test\//, /^tools\/(?:new-service|patterns|vocabulary)\//];

export type SourcePattern = FoundPattern & { file: string };

/** Every regular expression that may be applied to untrusted input. */
export function readSourcePatterns(): SourcePattern[] {
  const files = listRepositoryFiles(...FOLDERS).filter(
    (file) => SCRIPT.test(file) && !READS_OUR_OWN.some((form) => form.test(file)),
  );
  return files.flatMap((file) => findPatterns(readRepositoryFile(file), file).map((pattern) => ({ ...pattern, file })));
}
