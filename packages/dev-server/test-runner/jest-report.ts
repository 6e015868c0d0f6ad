import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

const suiteSchema = z.object({
  name: z.string(),
  status: z.string(),
  message: z.string(),
  assertionResults: z.array(
    z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
  ),
});

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numRuntimeErrorTestSuites: z.number(),
  testResults: z.array(suiteSchema),
});

export interface Counts {
  passed: number;
  failed: number;
  failures: string[];
}

const MAX_LINES = 6;

const takeFirstLines = (text: string): string => {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.slice(0, MAX_LINES).join('\n    ');
};

const listFailures = (
  root: string,
  { name, status, message, assertionResults }: z.infer<typeof suiteSchema>,
): string[] => {
  const file = relative(root, name);
  const failed = assertionResults.filter((result) => result.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [`${file}\n    ${takeFirstLines(message)}`] : [];
  return failed.map(
    ({ fullName, failureMessages }) => `${file} › ${fullName}\n    ${takeFirstLines(failureMessages?.[0] ?? '')}`,
  );
};

/**
 * Reads the numbers of passed and failed tests. A suite that fails to load counts as one failure, and so does a failed
 * run without a failed test or without a report.
 */
export const readCounts = async (file: string, code: number | null, root: string): Promise<Counts> => {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return { passed: 0, failed: 1, failures: ['the run ended without a report'] };
  const {
    numPassedTests: passed,
    numFailedTests,
    numRuntimeErrorTestSuites,
    testResults,
  } = reportSchema.parse(JSON.parse(text));
  const failures = testResults.flatMap((result) => listFailures(root, result));
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  if (failed > 0 || code === 0) return { passed, failed, failures };
  return { passed, failed: 1, failures: [...failures, `the run ended with exit code ${code} although no test failed`] };
};
