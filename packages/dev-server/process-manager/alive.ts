import { readFileSync } from 'node:fs';
import { codeOf } from './error-code.ts';

// A zombie answers to signal 0 for as long as nobody reaps it, but nothing of it runs any more.
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

/** Sends a signal to a process or, with a negative id, to its group; one that is gone already is no fault. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // gone already
  }
};
