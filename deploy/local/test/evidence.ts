import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '../backing/toolbox.ts';
import type { Area } from './areas.ts';
import type { AreaResult, Surroundings } from './run-area.ts';
import { runTool } from './run-tool.ts';

/** Where the tests of the last run of all browser suites have written down which text stood on which screen. */
export const EVIDENCE = join(CHECKOUT, 'output/evidence');

/** Has the tests of this run write down what they see, if all browser suites are in it; answers whether they are. */
export const keepEvidence = async (areas: readonly Area[]): Promise<boolean> => {
  if (!areas.some(({ name }) => name === 'browser')) return false;
  process.env.ATRIUM_EVIDENCE ??= EVIDENCE;
  await rm(process.env.ATRIUM_EVIDENCE, { recursive: true, force: true });
  return true;
};

/** Holds what was seen against the texts of the specification. */
export const checkTexts = async ({ root, guard }: Surroundings): Promise<AreaResult> => {
  const began = Date.now();
  const { code, output } = await runTool(join(root, 'tests/strings/print-strings.ts'), ['--missing'], {
    cwd: root,
    guard,
  });
  const isGood = code === 0;
  return {
    name: 'texts',
    passed: isGood ? 1 : 0,
    failed: isGood ? 0 : 1,
    failures: isGood ? [] : [output.trim()],
    output: '',
    seconds: (Date.now() - began) / 1000,
  };
};
