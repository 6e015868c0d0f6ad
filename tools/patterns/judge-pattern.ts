import { createContext, runInContext } from 'node:vm';
import { analyse } from 'scslre';
import { inflate, pumpsOf } from './pumps.ts';

/** Long enough that quadratic time is far above the limit on a fast machine, and linear time far below it on a slow one. */
const LENGTH = 16_000;
const LIMIT_MS = 20;
/** For all texts of one pattern together, on whatever machine: beyond, it does not end. */
const MAX_MS = 10_000;

/**
 * Why a pattern takes more than linear time on some text; undefined where none was found. First by its form, then by running it on texts
 * that are made to slow it down: the analysis of forms does not look for longer pieces that are repeated.
 */
export function findSlowness(source: string, flags: string): string | undefined {
  const [report] = analyse({ source, flags }, { maxReports: 1 }).reports;
  if (report) {
    const time = report.exponential ? 'exponential' : 'quadratic';
    return `many of ${JSON.stringify(report.character.pick)} take ${time} time`;
  }
  try {
    const context = createContext({ run: () => findSlowText(source, flags) });
    return runInContext('run()', context, { timeout: MAX_MS });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return 'some text takes exponential time';
  }
}

const isTimeout = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

function findSlowText(source: string, flags: string): string | undefined {
  const form = new RegExp(source, flags);
  for (const pump of pumpsOf(source, flags)) {
    // Each repetition is one beginning: the longer it is, the fewer there are in a text.
    const text = inflate(pump, LENGTH * Math.sqrt(pump.pump.length));
    if (isSlow(form, text)) {
      return `many of ${JSON.stringify(pump.pump)} after ${JSON.stringify(pump.prefix)} take quadratic time`;
    }
  }
  return undefined;
}

/** Processor time of this thread, the best of three: what else the machine does is nothing of the pattern. */
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
