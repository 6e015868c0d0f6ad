import { readFileSync } from 'node:fs';

/** The code of a system error, such as `ENOENT`. Avoids `instanceof Error`, because under Jest Node's errors belong to another realm. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

// A zombie accepts signal 0 until it is reaped, although it no longer runs.
const isZombie = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
};

/** Sends a signal to a process or, with a negative id, to its group. Does nothing if it no longer exists. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // no longer exists
  }
};
