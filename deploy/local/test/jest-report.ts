import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numRuntimeErrorTestSuites: z.number(),
});

export interface Counts {
  passed: number;
  failed: number;
}

/**
 * The counts of a Jest run from its JSON report. A suite that could not even be loaded counts as one failure, and so does a
 * run that failed without a failed test or without a report.
 */
export const readCounts = async (file: string, code: number | null): Promise<Counts> => {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests: passed, numFailedTests, numRuntimeErrorTestSuites } = report.parse(JSON.parse(text));
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
};
