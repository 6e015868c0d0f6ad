import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '../backing/toolbox.ts';
import type { Area } from './areas.ts';

/** Where the tests of the last run of all browser suites have written down which text stood on which screen. */
export const EVIDENCE = join(CHECKOUT, 'output/evidence');

/** Has the tests of this run write down what they see, if all browser suites are in it; answers whether they are. */
export const keepEvidence = async (areas: readonly Area[]): Promise<boolean> => {
  if (!areas.some(({ name }) => name === 'browser')) return false;
  process.env.ATRIUM_EVIDENCE ??= EVIDENCE;
  await rm(process.env.ATRIUM_EVIDENCE, { recursive: true, force: true });
  return true;
};
