import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../observability/logger.ts';

/** Where a process may die at the worst moment, by what has been done and what has not. */
export const CRASH_POINTS_DIR = [
  'after-commit-before-answer',
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
] as const;

export type CrashPoint = (typeof CRASH_POINTS_DIR)[number];

let armed: string | undefined;

/** Names the folder in which a test puts a file called like the point at which a process is to die; see `CRASH_POINTS_DIR` in docs/self-hosting/configuration.md. */
export function armCrashPoints(folder: string | undefined, log: Logger): void {
  armed = folder;
  if (folder !== undefined)
    log.warn({ folder }, 'CRASH_POINTS_DIR is set, which is for tests: this process dies where a file there says so');
}

/**
 * Ends this process as a lost machine would, if a test has armed the point. Of all processes with that folder one dies for each file,
 * as only one can remove it; that it is gone tells the test that the point was reached.
 */
export function crashPoint(point: CrashPoint): void {
  if (armed === undefined) return;
  try {
    unlinkSync(join(armed, point));
  } catch {
    return;
  }
  process.kill(process.pid, 'SIGKILL');
}
