import { createContext, runInContext } from 'node:vm';
import { analyse } from 'scslre';
import { buildInput, createPumps } from './pumps.ts';

/** Makes quadratic time exceed the limit on a fast machine, and linear time stay below it on a slow one. */
const INPUT_LENGTH = 16_000;
const MAX_LINEAR_MS = 20;
/** Time limit for all inputs of one pattern together. A pattern that exceeds it counts as exponential. */
const TOTAL_TIMEOUT_MS = 10_000;

/**
 * Describes an input that takes more than linear time. Returns undefined if there is none. Static analysis misses
 * repetitions of several characters, so the pattern also runs on inputs built to slow it down.
 */
export function findSlowness(source: string, flags: string): string | undefined {
  const [report] = analyse({ source, flags }, { maxReports: 1 }).reports;
  if (report) {
    const time = report.exponential ? 'exponential' : 'quadratic';
    return `a run of ${JSON.stringify(report.character.pick)} takes ${time} time`;
  }
  try {
    const context = createContext({ run: () => findSlowInput(source, flags) });
    return runInContext('run()', context, { timeout: TOTAL_TIMEOUT_MS });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return 'some input takes exponential time';
  }
}

const isTimeout = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

function findSlowInput(source: string, flags: string): string | undefined {
  const regExp = new RegExp(source, flags);
  for (const pump of createPumps(source, flags)) {
    // A match can start at each repetition, so a longer repeated text needs a longer input for as many starts.
    const text = buildInput(pump, INPUT_LENGTH * Math.sqrt(pump.pump.length));
    if (isSlow(regExp, text)) {
      return `a run of ${JSON.stringify(pump.pump)} after ${JSON.stringify(pump.prefix)} takes quadratic time`;
    }
  }
  return undefined;
}

/** Compares the CPU time of this thread, best of three, so that other load on the machine does not count. */
function isSlow(form: RegExp, text: string): boolean {
  for (let round = 0; round < 3; round += 1) {
    const start = process.threadCpuUsage();
    search(form, text);
    if (process.threadCpuUsage(start).user < MAX_LINEAR_MS * 1000) return false;
  }
  return true;
}

function search(form: RegExp, text: string): void {
  form.lastIndex = 0;
  if (form.global) text.replaceAll(form, '');
  else form.test(text);
}
