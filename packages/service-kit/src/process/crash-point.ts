import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../observability/logger.ts';

/** Points at which a test can crash a process, named by what was done and what was not. */
const CRASH_POINTS = [
  'after-commit-before-response',
  'after-commit-before-publish',
  'in-a-chain-of-events',
  'after-publish-before-delete',
  'after-effect-before-ack',
  'after-dead-letter-before-term',
  'between-migrations',
  'in-a-migration',
  'after-mail-before-note',
  'after-outcome-before-note',
  'after-upload-before-commit',
  'after-message-before-announcement',
  'after-reading-before-note',
  'after-reading-before-publish',
  'after-publish-before-note',
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];

let armedFolder: string | undefined;

/**
 * Sets the folder in which a test creates a file named after the crash point; see `CRASH_POINTS_DIR` in
 * docs/self-hosting/configuration.md.
 */
export function armCrashPoints(folder: string | undefined, log: Logger): void {
  armedFolder = folder;
  if (folder !== undefined)
    log.warn({ folder }, 'CRASH_POINTS_DIR is set, for tests only: this process crashes at the points it names');
}

/**
 * Crashes this process if a test has armed the point. Of several processes with the same folder, only one crashes per
 * file, since only one can remove it. The removal shows the test that the point was reached.
 */
export function crashPoint(point: CrashPoint): void {
  if (armedFolder === undefined) return;
  try {
    unlinkSync(join(armedFolder, point));
  } catch {
    return;
  }
  process.kill(process.pid, 'SIGKILL');
}
