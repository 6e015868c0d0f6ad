import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { runTool } from '../process-manager/run-tool.ts';
import type { Area } from './areas.ts';
import type { AreaResult, RunContext } from './run-area.ts';

export const COVERAGE_DIR = join(CHECKOUT, 'output/contract-coverage');

interface CoverageCheck {
  name: string;
  kinds: string[];
  script: string;
  /** Returns the arguments of the script, or undefined if too few areas run for the check. */
  args(areas: readonly Area[], isCi: boolean): string[] | undefined;
  requirement: string;
}

const toServiceNames = ({ name, paths }: Area): string[] =>
  [`/services/${name}/`, '/gateway/'].includes(paths[0] ?? '') ? [name] : [];

const COVERAGE_CHECKS: readonly CoverageCheck[] = [
  {
    name: 'texts',
    kinds: ['text'],
    script: 'tools/spec-coverage/main.ts',
    // CI omits slow suites; see `jest.config.mjs`.
    args: (areas, isCi) => (areas.some(({ name }) => name === 'browser') && !isCi ? ['--missing'] : undefined),
    requirement: 'the whole area browser, outside of CI',
  },
  {
    name: 'contracts',
    kinds: ['response', 'event'],
    script: 'tools/contract-coverage/main.ts',
    args(areas) {
      if (areas.some(({ name }) => name === 'api')) return [];
      const services = areas.flatMap(toServiceNames);
      return services.length > 0 ? services : undefined;
    },
    requirement: 'the whole area api, or a service',
  },
];

export interface DueCheck {
  check: CoverageCheck;
  args: string[];
}

export const selectCoverageChecks = (
  areas: readonly Area[],
  isCi: boolean,
): { due: DueCheck[]; skipped: CoverageCheck[] } => {
  const checks = COVERAGE_CHECKS.map((check) => ({ check, args: check.args(areas, isCi) }));
  return {
    due: checks.flatMap(({ check, args }) => (args ? [{ check, args }] : [])),
    skipped: checks.flatMap(({ check, args }) => (args ? [] : [check])),
  };
};

export const prepareCoverageRecords = async (due: readonly DueCheck[]): Promise<void> => {
  if (due.length === 0) return;
  process.env.CONTRACT_COVERAGE_DIR ??= COVERAGE_DIR;
  const folder = process.env.CONTRACT_COVERAGE_DIR;
  const kinds = due.flatMap(({ check }) => check.kinds);
  const files = await readdir(folder).catch(() => []);
  const oldFiles = files.filter((file) => kinds.some((kind) => file.startsWith(`${kind}-`)));
  await Promise.all(oldFiles.map((file) => rm(join(folder, file), { force: true })));
};

export const runCoverageCheck = async (
  { check, args }: DueCheck,
  { root, reaper }: RunContext,
): Promise<AreaResult> => {
  const startedAt = Date.now();
  const { code, output } = await runTool(join(root, check.script), args, { cwd: root, reaper });
  const hasPassed = code === 0;
  return {
    name: check.name,
    passed: hasPassed ? 1 : 0,
    failed: hasPassed ? 0 : 1,
    failures: hasPassed ? [] : [output.trim()],
    output: '',
    seconds: (Date.now() - startedAt) / 1000,
  };
};
