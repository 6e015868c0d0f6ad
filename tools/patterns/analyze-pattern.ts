import { createContext, runInContext } from 'node:vm';
import { analyse } from 'scslre';
import { inflate, pumpsOf } from './pumps.ts';

/** Long enough that quadratic time exceeds the limit on a fast machine, and linear time stays below it on a slow one. */
const LENGTH = 16_000;
const LIMIT_MS = 20;
/** Limit for all inputs of one pattern together; beyond it, the time counts as exponential. */
const MAX_MS = 10_000;

/**
 * Undefined if no input takes more than linear time. Static analysis misses repetitions of several characters,
 * so the pattern also runs on inputs built to slow it down.
 */
export function findSlowness(source: string, flags: string): string | undefined {
  const [report] = analyse({ source, flags }, { maxReports: 1 }).reports;
  if (report) {
    const time = report.exponential ? 'exponential' : 'quadratic';
    return `a run of ${JSON.stringify(report.character.pick)} takes ${time} time`;
  }
  try {
    const context = createContext({ run: () => findSlowText(source, flags) });
    return runInContext('run()', context, { timeout: MAX_MS });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return 'some input takes exponential time';
  }
}

const isTimeout = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

function findSlowText(source: string, flags: string): string | undefined {
  const form = new RegExp(source, flags);
  for (const pump of pumpsOf(source, flags)) {
    // A match can start at each repetition: the longer the repeated text, the fewer starts per input.
    const text = inflate(pump, LENGTH * Math.sqrt(pump.pump.length));
    if (isSlow(form, text)) {
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
    if (process.threadCpuUsage(start).user < LIMIT_MS * 1000) return false;
  }
  return true;
}

function search(form: RegExp, text: string): void {
  form.lastIndex = 0;
  if (form.global) text.replaceAll(form, '');
  else form.test(text);
}
